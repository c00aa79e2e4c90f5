/** The page where people correct sentences: qualify, annotate, study. */
import { Annotate } from "./annotate.js";
import { Study } from "./study.js";
import { startTaskPage } from "./task_page.js";

startTaskPage("work", ["qualify", "study", "annotate"], (kind, desk) => {
  if (kind === "study") return new Study(() => desk.changed(), (body) => desk.handIn(body));
  return new Annotate(() => desk.changed());
});
