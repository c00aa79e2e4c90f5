/** What somebody handed in themselves, the latest first; it can be taken back until a reviewer has seen it. */
import { at, get, page, query } from "./api.js";
import { box, button, element, link, said } from "./build.js";
import { compare } from "./difference.js";
import { drawPiece } from "./edits.js";
import { tell } from "./forms.js";
import { sayTime } from "./times.js";
import { hush, tagOf } from "./words.js";

const PAGE = 10;

/** A box with one's own answers in a project. */
export function answersBox(project) {
  const list = element("ol", "trail");
  const problem = element("p", "problem");
  problem.setAttribute("role", "alert");
  let n = 0;
  const load = async () => {
    hush(problem);
    try {
      const { answers, n_answers: nAll } = await get(at("projects", project.id, "answers") + query({ offset: n, limit: PAGE }));
      n += answers.length;
      list.append(...answers.map((answer) => draw(answer, project)));
      more.hidden = n >= nAll || !answers.length;
    } catch (error) {
      if (error.status === undefined) throw error;
      tell(problem, error);
    }
  };
  const more = button("earlierAnswers", load, { className: "small" });
  more.hidden = true;
  load();
  return box("ownAnswers", said("p", "quiet", "ownAnswersText"), list, problem, more);
}

function draw({ task_id: id, number, source, status, answers, comment, made_at: at, can_take_back: canTakeBack }, project) {
  const head = element("p", "quiet", said("span", "", "sentenceNumber", number), " · ", said("time", "", "plain", () => sayTime(at)), " ", said("span", "tag", `status-${status}`));
  const shown = answers.length ? answers : [source];
  const texts = shown.map((target) => {
    const made = element("p", "study-text", ...compare(source, target).map(drawPiece));
    made.lang = tagOf(project.language);
    return made;
  });
  const made = element("li", "", head, ...texts, ...(comment ? [element("blockquote", "reviewer-says", comment)] : []));
  if (canTakeBack) made.append(link("takeBack", page("work", { project: project.id, kind: "annotate", back: id }), { className: "button small" }));
  return made;
}
