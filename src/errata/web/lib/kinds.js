/**
 * Types of errors (`R:VERB:SVA`, `M:DET`; for Chinese `S:SPELL`, `W`) as people read them: a short name in English and
 * in Chinese, and one of four kinds, which the page underlines each in its own way.
 */
export const KINDS = ["spelling", "grammar", "punctuation", "wording"];

const CATEGORIES = {
  ADJ: ["Adjective", "形容词"],
  "ADJ:FORM": ["Adjective form", "形容词形式"],
  ADV: ["Adverb", "副词"],
  ARTICLE: ["A or an", "a 与 an"],
  ASPECT: ["Aspect particle", "动态助词"],
  CONFUSION: ["Confused word", "易混词"],
  CONJ: ["Conjunction", "连词"],
  CONTR: ["Contraction", "缩写"],
  DE: ["的, 地 or 得", "“的、地、得”"],
  DET: ["Article or determiner", "冠词或限定词"],
  MORPH: ["Word form", "词形"],
  NOUN: ["Noun", "名词"],
  "NOUN:INFL": ["Noun ending", "名词变形"],
  "NOUN:NUM": ["Singular or plural", "单复数"],
  "NOUN:POSS": ["Possessive", "所有格"],
  ORDER: ["Word order", "语序"],
  ORTH: ["Case or spacing", "大小写或空格"],
  "ORTH:CASE": ["Upper or lower case", "大小写"],
  "ORTH:SPACE": ["Spacing", "空格"],
  OTHER: ["Wording", "措辞"],
  PART: ["Particle", "小品词"],
  PREP: ["Preposition", "介词"],
  PRON: ["Pronoun", "代词"],
  PUNCT: ["Punctuation", "标点"],
  SPACE: ["Spacing", "空格"],
  SPELL: ["Spelling", "拼写"],
  VERB: ["Verb", "动词"],
  "VERB:FORM": ["Verb form", "动词形式"],
  "VERB:INFL": ["Verb ending", "动词变形"],
  "VERB:SVA": ["Subject–verb agreement", "主谓一致"],
  "VERB:TENSE": ["Verb tense", "动词时态"],
  WO: ["Word order", "语序"],
};

// Chinese types whose names differ from the English ones. Chinese has wrong characters, where English has spelling.
const CHINESE_TYPES = {
  "S:SPELL": ["Wrong character", "错别字"],
};

// Chinese types without a category. Its R is redundant, where the R of English is a replacement.
const OPERATIONS = {
  M: ["Missing", "缺少成分"],
  R: ["Redundant", "成分多余"],
  S: ["Wrong word", "用词不当"],
  W: ["Word order", "语序不当"],
};

const KIND_OF_CATEGORY = {
  CONFUSION: "spelling", ORTH: "spelling", SPELL: "spelling", PUNCT: "punctuation", SPACE: "punctuation",
  OTHER: "wording", S: "wording",
};

/** What people call an error type, in the page's language. */
export function nameOfType(type, ui) {
  const [operation, first, second] = type.split(":");
  const name =
    CHINESE_TYPES[type] ?? CATEGORIES[`${first}:${second}`] ?? CATEGORIES[first] ?? OPERATIONS[operation];
  return name ? name[ui === "zh" ? 1 : 0] : type;
}

// What may be a name or a term that the model does not know; a wrong preposition is none.
const MAY_BE_A_TERM = new Set(["ADJ", "CONFUSION", "MORPH", "NOUN", "ORTH", "OTHER", "S", "SPELL"]);

/** Whether the word that a correction of this type changes may be right after all. */
export function mayBeTerm(type) {
  const [operation, category = operation] = type.split(":");
  return MAY_BE_A_TERM.has(category) && operation !== "M" && operation !== "U";
}

/** The kind of an error type: one of `KINDS`. */
export function kindOf(type) {
  const [operation, category = operation] = type.split(":");
  return KIND_OF_CATEGORY[category] ?? "grammar";
}
