/** Texts to try, paragraph by paragraph: each button goes through its list. */
const ENGLISH = [
  [
    "I have been living in this town since ten years, and I still enjoys every days of it. Last summer we build " +
      "a small garden behind the house, where my daughter grow tomatos and strawberries.",
    "Our neighbours are very kind peoples. When they heard that we don't has enough water, they offer us to use " +
      "they well. I am looking forward to invite them for dinner as soon as the first tomatos are ripe!",
  ],
  [
    "Thank you for you email. Unfortunately we was not able to finding your order in our sistem, so I would like " +
      "to ask you to send us the number again.",
    "Please note that informations about delivery can be find on our website. If you has any other question, do " +
      "not hesitate to contacting us.",
  ],
];

const CHINESE = [
  [
    "我昨天和朋友一起去了北京旅游旅行，那里的天气非常很好。我们先参观了故宫，然后在附近的饭店吃了饭午。",
    "通过这次旅行，使我更加了解了中国的历史和文化。我希望以后能有更多的机会去去别的城市看看。",
  ],
  [
    "随着科技的发展，人们的生活水平得到了很大的改善和提高了。",
    "但是我门也应该注意保护环境，因为环境的好坏直接影响我们的身体。",
  ],
];

const joined = (texts) => texts.map((paragraphs) => paragraphs.join("\n\n"));

export const EXAMPLES = { en: joined(ENGLISH), zh: joined(CHINESE) };
