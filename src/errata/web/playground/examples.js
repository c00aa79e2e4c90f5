/** Texts to try, paragraph by paragraph: each button goes through its list. */
const ENGLISH = [
  [
    "Thank you for you email! I am writting to you from the garden which we build last summer. My brother have moved " +
      "to our town with his two childrens, and we sees them almost every days.",
    "Our new neighbours are very kind peoples. When they heard that we don't has enough water, they offered us their " +
      "help. I am looking forward to invite everybody for dinner as soon as the first tomatoes are ripe. Are you " +
      "still interested on gardening? It depends of the weather, of course, but I hope you can came in june!",
  ],
  [
    "Dear Sir or Madam, I am writing to complain about the camera I bought in your shop last week. When I opened the " +
      "box, I discovered that the battery were missing and one of the button did not worked.",
    "I have already send you two email, but nobody have answered me. I would be grateful if you could sent me a new " +
      "one. If you has any question, do not hesitate to contacting me.",
  ],
];

const CHINESE = [
  [
    "上个周末，我和朋友一起去北京旅游旅行，那里的天气非常很好。我们参观了故宫，还爬了长城。中国是一个历史悠久国家。",
    "通过这次旅行，使我更加了解了中国的文化。我的朋友中文说的很好，我觉的他一定在中国住过。下次我门还要一起去。",
  ],
  [
    "为了避免不再发生类似的事故，我们必须养成良好的习贯，按时参加安全会义。",
    "我以经把这件事告诉老师了，希望大家在考虑一下。小王是我最好朋友，他跑的很快，大家都追不上他。",
  ],
];

const joined = (texts) => texts.map((paragraphs) => paragraphs.join("\n\n"));

export const EXAMPLES = { en: joined(ENGLISH), zh: joined(CHINESE) };
