"""What the server refuses, in Chinese: pages say in which language they are, and refusals come in it.

Refusals are written in English where they are raised, and translated here by their pattern: `{what}` stands for
anything. What has no pattern stays English after a word that says so, so nothing is ever hidden.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

# Refusals of these paths are read by people in pages; programs that ask elsewhere get English.
PAGES = ("/workbench/api/", "/accounts/")
OTHER = "服务器的提示：{message}"
# Longer messages quote something; no pattern is for them.
MAX_LENGTH = 1_000

# Words that stand in the gaps of patterns.
WORDS = {
    "the name": "名称",
    "the answer": "答案",
    "the source": "原句",
    "the comment": "备注",
    "the reason": "理由",
    "the guidelines": "规范",
    "the sentence": "句子",
    "the draft": "草稿",
    "a tab": "制表符",
    "a line break": "换行",
    "half a character (a lone surrogate)": "半个字符",
    "an owner": "负责人",
    "a reviewer": "审核员",
    "an annotator": "标注员",
    "annotating": "标注中",
    "reviewing": "审核中",
    "done": "已完成",
    "withdrawn": "已撤下",
    "a second": "1 秒",
    "second": "秒",
    "seconds": "秒",
    "minute": "分钟",
    "minutes": "分钟",
    "whole number": "整数",
    "number": "数",
    "English": "英文",
    "Chinese": "中文",
    "take it away from somebody": "请先从别人那里收回",
    "take it away from somebody, or let more people annotate it": "请先从别人那里收回，或增加标注人数",
}

PATTERNS = {
    # accounts
    "log in first": "请先登录",
    "log in first, or give a name and a password for a new account": "请先登录，或填写用户名和密码注册",
    "this request is of another session (see {header}): reload the page": "登录状态已改变，请重新加载页面",
    "give a name and a password, or neither if you are logged in": "请同时填写用户名和密码；已登录的不必填写",
    "there is no such invitation: open the whole link that you were sent": "没有这个邀请：请打开收到的完整链接",
    "this invitation has been used up: ask for a new one": "邀请已用完，请索取新的链接",
    "this invitation has expired: ask for a new one": "邀请已过期，请索取新的链接",
    "this invitation has been withdrawn: ask for a new one": "邀请已被撤回，请索取新的链接",
    "this project has been archived: ask its owner": "这个项目已经归档，请询问负责人",
    "there is no such invitation in this project": "本项目没有这个邀请",
    "an owner has taken you out of this project: ask to be put back": "负责人已将您移出项目，请联系负责人恢复",
    "you were removed from this project: ask its owner": "您已被移出项目，请联系负责人",
    "the name or the password is wrong": "用户名或密码不对",
    "old: the password is wrong": "当前密码不对",
    "the password was changed meanwhile; log in again": "密码刚被修改过，请重新登录",
    "name: give 1 to {most} characters": "用户名应为 1 到 {most} 个字符",
    "name: use letters, digits, spaces and punctuation; one of the characters cannot be seen": (
        "用户名可用文字、数字、空格和标点；其中有看不见的字符"
    ),
    "password: give {least} to {most} characters": "密码应为 {least} 到 {most} 个字符",
    "password: many people use this one, so it is tried first; choose another": (
        "这个密码太常见，容易被猜到，请换一个"
    ),
    "password: it is the name; choose another": "密码不能与用户名相同，请换一个",
    "name: {name} is taken; choose another": "用户名 {name} 已被使用，请换一个",
    "nobody is called {name}; {more}": "没有名为 {name} 的用户",
    "the account of {name} is closed": "{name} 的账号已关闭",
    "too many tries have failed; try again in {n} {unit}": "尝试次数太多，请等 {n} {unit}再试",
    # what is not there, or not allowed
    "there is no such project, or you are no member of it": "没有这个项目，或者您不是它的成员",
    "there is no such item, or you may not see it": "没有这个句子，或者您无权查看",
    "there is no such thing, or you may not see it": "没有这项内容，或者您无权查看",
    "there is no such task, or it is not yours": "没有这个任务，或者它不属于您",
    "there is no such member in this project": "本项目没有这个成员",
    "only an owner of the project may do this, and you are {role}": "只有项目负责人可以这样做，您是{role}",
    "only owners of this site may make projects": "只有站点负责人可以新建项目",
    # projects
    "somebody changed the project meanwhile": "项目刚被别人改过",
    "there is a project called {name} already": "已有名为 {name} 的项目",
    "only a project that is archived can be deleted: archive it first": "只有已归档的项目可以删除，请先归档",
    "this project is archived: bring it back first": "项目已归档，请先取消归档",
    "this is not the name of the project: nothing was deleted": "与项目名称不符，没有删除任何内容",
    "a project is of one of the kinds {kinds}": "项目类型只能是 {kinds}",
    "a project is in one of the languages {languages}": "项目语言只能是 {languages}",
    "a project is in one of the states {states}": "项目状态只能是 {states}",
    "settings: {name} is a {kind} from {least} to {most}": "设置 {name} 应为 {least} 到 {most} 之间的{kind}",
    "settings: {name} is true or false": "设置 {name} 应为是或否",
    "settings: qualification is an object such as {example}": "设置 qualification 的写法如 {example}",
    "settings: there is no {name} (there are {known})": "没有设置 {name}（可用：{known}）",
    "a role is one of {roles}": "角色只能是 {roles}",
    "a member can be made {states}": "成员状态只能改为 {states}",
    "a project needs an owner: make somebody else one first": "项目必须有负责人，请先指定另一位负责人",
    "{name} is a whole number from {least} to {most}": "{name} 应为 {least} 到 {most} 之间的整数",
    "{name} is one of {choices}": "{name} 只能是 {choices}",
    # sentences and tasks
    "the item changed meanwhile": "句子刚被改动过，请重新打开",
    "an item goes to 1 to {most} annotators": "每句的标注人数为 1 到 {most}",
    "the number of annotators can change only while the item is annotated": "只有标注中的句子可以改标注人数",
    "an item can be made {states} again": "句子只能撤下或重新启用",
    "only a withdrawn item can be taken up again; this one is {state}": "只有已撤下的句子可以重新启用；这一句{state}",
    "a reviewer has seen this answer: it cannot be taken back any more": "审核员已经看到这个答案，不能再收回",
    "only corrections can be taken back": "只能收回标注的答案",
    "this sentence is not handed in": "这个句子还没有提交",
    "nothing can be taken back while the project does not run": "项目不在进行中，不能收回答案",
    "qualify first, then take answers back": "请先通过资格测试",
    "you have taken another answer back already: hand it in first": "您已收回了另一个答案，请先提交它",
    "nobody has such a task of this sentence": "没有人在处理这个任务",
    "nobody holds this task any more": "已经没有人占用这个任务",
    "only this person can do the task: there is nobody else to give it to": "这个任务只能由本人完成，不能收回",
    "this person has not qualified yet": "这个人还没有通过资格测试",
    "this person has the sentence already": "这个人已经有这个句子",
    "the project does not run: start it first": "项目不在进行中，请先启动",
    "sentences of the qualification round are drawn by lot": "资格测试的句子是随机抽取的，不能指定",
    "there is nothing left to do for this sentence": "这个句子已经没有要做的事",
    "the sentence is in review, and this person is no reviewer": "句子正在审核，而这个人不是审核员",
    "others have the sentence already: {more}": "句子的名额已满：{more}",
    "nobody reviews a sentence that they annotated": "标注过这个句子的人不能审核它",
    "nobody could review the sentence then: all other reviewers have annotated it": (
        "其他审核员都标注过这个句子，再分配给这个人就没有人能审核了"
    ),
    "you gave {n} sentences back within an hour: finish this one, or say why you skip it": (
        "一小时内您已退回 {n} 个句子：请完成这一句，或说明跳过的原因"
    ),
    "the task is done": "任务已经完成",
    "the task is done already": "任务已经完成",
    "another window saved something else meanwhile": "另一个窗口刚保存了不同的内容",
    "you have taken another sentence by now: finish it first, or give it back": (
        "您已领取了另一个句子，请先完成或退回它"
    ),
    "somebody else has the sentence by now": "这个句子已交给别人",
    "the draft has more than {n} lists and objects in each other": "草稿的嵌套超过 {n} 层",
    "the draft has more than {n} characters": "草稿超过 {n} 个字符",
    "the draft has a NUL character: remove it": "草稿含有 NUL 字符，请删去",
    "the draft has something that is no text and no number": "草稿含有既不是文字也不是数的内容",
    # answers, reviews, study
    "an answer is one of {statuses}": "答案类型只能是 {statuses}",
    "give one to {most} answers": "请给出 1 到 {most} 个答案",
    "a sentence of the qualification round cannot be skipped": "资格测试的句子不能跳过",
    "say in the comment why you skip the sentence": "请在备注中说明跳过的原因",
    "say whether the complaint is upheld": "请说明申诉是否成立",
    "a submission needs a key of 1 to 64 characters, another one each time": (
        "每次提交需要一个新的标识（1 到 64 个字符）"
    ),
    "the key was used for another task: make a new one for each submission": "提交标识已用于另一个任务，请换一个",
    "{what} is empty": "{what}是空的",
    "{what} has {n} characters; {most} is the most": "{what}有 {n} 个字符，最多 {most} 个",
    "{what} has {fault}: remove it": "{what}含有{fault}，请删去",
    "the control character {code}": "控制字符 {code}",
    "{text} is no sentence: choose “error free” or “not annotatable” instead": (
        "“{text}”不是句子：请选择“没有错误”或“无法标注”"
    ),
    "a review says {statuses}": "审核结果只能是 {statuses}",
    "an answer has two verdicts: keep one": "同一个答案有两个判断，请只留一个",
    "nobody answered {text}: a reference of your own is added, not judged": "没有人给出 {text}：自己的答案请用“添加”",
    "every answer needs a verdict; {text} has none": "每个答案都要判断；{text} 还没有",
    "a sentence that cannot be annotated has no references: reject every answer": (
        "无法标注的句子没有标准答案：请否定所有答案"
    ),
    "accept an answer or add a reference, or say that the sentence cannot be annotated": (
        "请采纳一个答案或添加一个，或选择“无法标注”"
    ),
    "give an answer that is a golden reference, or complain": "请改成一个被采纳的答案，或提出申诉",
    "{text} is no golden reference: make it one of them, or complain": (
        "{text} 不是被采纳的答案：请改成其中一个，或提出申诉"
    ),
    "a complaint needs a reason": "申诉需要理由",
    "a complaint is about an answer of your own that was not accepted": "只能为自己未被采纳的答案申诉",
    "there was a complaint about this answer already, and it was decided": "这个答案已经申诉过，并有了结果",
    "the owner of this project does not allow suggestions": "项目负责人没有开放参考改法",
    "suggestions are for sentences that you are annotating": "只有正在标注的句子才有参考改法",
    "this server has no corrector for {language}": "服务器没有 {language} 的纠错模型",
    # files
    "{file}: the project has all its sentences already; nothing was imported": "{file}：句子都已在项目中，没有导入",
    "{file}: {fault} (and {n} more); nothing was imported": "{file}：{fault}（另有 {n} 处）；没有导入任何内容",
    "{file}: {fault}; nothing was imported": "{file}：{fault}；没有导入任何内容",
    "this is the history of a whole project: {command} makes the project again": (
        "这是整个项目的历史：用 {command} 可以还原项目"
    ),
    "there is no format {name} (there are {known})": "没有格式 {name}（可用：{known}）",
    "there is no sentence in the file": "文件里没有句子",
    "more than {n} lists and objects stand in each other": "嵌套超过 {n} 层",
    "more than {n} sentences: split the file": "超过 {n} 句，请拆分文件",
    "the sentence is empty": "句子是空的",
    "the sentence has {n} characters; {most} is the most": "句子有 {n} 个字符，最多 {most} 个",
    "the sentence has more than {n} references": "句子的参考答案超过 {n} 个",
    "a reference has {n} characters; {most} is the most for this sentence": (
        "参考答案有 {n} 个字符，这一句最多 {most} 个"
    ),
    "edits and other fields take {n} characters; {most} is the most": "修改和其他字段共 {n} 个字符，最多 {most} 个",
    "the sentence has {fault}": "句子含有{fault}",
    "a sentence of the qualification round needs a reference, and this one has none": (
        "资格测试的句子要有参考答案，这一句没有"
    ),
    "a reference is empty": "参考答案是空的",
    "the project is in {own}, and no sentence of the file is: is this a file for a project in {other}?": (
        "项目是{own}的，文件里却没有{own}句子：这是{other}项目的文件吗？"
    ),
    "this is UTF-16; convert the file to UTF-8 first": "这是 UTF-16，请先转换为 UTF-8",
    "the JSON has more than {n} values: split the file": "JSON 超过 {n} 个值，请拆分文件",
    "the file is packed ({kind}): unpack it first": "文件是压缩的（{kind}），请先解压",
    "no sentence ends within {n} lines: split the file": "{n} 行内没有句子结束，请拆分文件",
    "the line has {n} bytes; {most} is the most": "这一行有 {n} 字节，最多 {most} 字节",
    "this is no text: it has a NUL byte": "这不是文本：含有 NUL 字节",
    "not UTF-8: {where}; convert the file to UTF-8 first": "不是 UTF-8（{where}），请先转换",
    "FCGEC's form is for Chinese: export English as m2, tsv or jsonl": (
        "FCGEC 格式只用于中文：英文请导出为 m2、tsv 或 jsonl"
    ),
    "only {format} has names of people": "只有 {format} 带有姓名",
    "this person has no answers to sentences that are reviewed: there is nothing to score": (
        "这个人没有已审核的答案，无法评分"
    ),
    "what people are scored by is exported as m2 (answers also as text), not as {form}": (
        "评分用的文件只能导出为 m2（答案也可为 text），不能是 {form}"
    ),
    "a score has {sides} self-study": "评分文件分为两份，学习前与学习后",
    "FCGEC's operations cannot make {text}": "FCGEC 的操作无法得出 {text}",
    "item {n} cannot be exported this way: {reason}": "第 {n} 句不能这样导出：{reason}",
    # the server itself
    "the server has no room for the file; try again later": "服务器空间不足，请稍后再试",
    "too many requests are waiting; try again later": "请求太多，请稍后再试",
    "the server is shutting down; try another one": "服务器正在关闭",
    "the database does not answer; try again later": "数据库没有响应，请稍后再试",
    "answering took longer than {n} seconds; try again later": "处理超过 {n} 秒，请稍后再试",
    "send JSON, and say so: Content-Type: application/json": "请求应为 JSON",
    "JSON decode error at character {n}: {reason}": "JSON 有误（第 {n} 个字符）",
    "there was an error parsing the body": "无法理解请求内容",
}


def translate(message: str) -> str:
    """A refusal in Chinese.

    >>> translate("the name has 201 characters; 200 is the most")
    '名称有 201 个字符，最多 200 个'
    """
    return find_translation(message) or OTHER.format(message=message)


def find_translation(message: str) -> str | None:
    """The message in Chinese, if there is a pattern for it; its gaps are translated too where they can be."""
    if message in WORDS:
        return WORDS[message]
    if len(message) > MAX_LENGTH:
        return None
    for pieces, chinese in _patterns():
        gaps = _find_gaps(pieces, message)
        if gaps is not None:
            return chinese.format(**{name: find_translation(value) or value for name, value in gaps.items()})
    return None


def translate_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What stands beside a refusal: the problems of a file have words of their own."""
    problems = facts.get("problems")
    if not isinstance(problems, list):
        return dict(facts)
    return {**facts, "problems": [{**one, "message": translate(one["message"])} for one in problems]}


@cache
def _patterns() -> list[tuple[list[str], str]]:
    """The patterns in pieces, those that say most of themselves first."""
    ordered = sorted(PATTERNS.items(), key=lambda pair: -len(_GAP.sub("", pair[0])))
    return [(_GAP.split(english), chinese) for english, chinese in ordered]


def _find_gaps(pieces: Sequence[str], message: str) -> dict[str, str] | None:
    """What stands in the gaps of a pattern: text, name, text, name … text; each gap ends where the next text begins."""
    if not message.startswith(pieces[0]):
        return None
    gaps: dict[str, str] = {}
    place = len(pieces[0])
    for number in range(1, len(pieces), 2):
        name, text = pieces[number : number + 2]
        is_last = number + 2 == len(pieces)
        end = len(message) - len(text) if is_last else message.find(text, place + 1)
        if end <= place or not message.startswith(text, end):
            return None
        gaps[name] = message[place:end]
        place = end + len(text)
    return gaps if place == len(message) else None


_GAP = re.compile(r"\{(\w+)\}")
