/** The page where people review answers and decide complaints. */
import { Assess } from "./assess.js";
import { Judge } from "./judge.js";
import { startTaskPage } from "./task_page.js";

startTaskPage("review", ["judge", "review"], (kind, desk) => {
  return kind === "judge" ? new Judge(() => desk.changed()) : new Assess(() => desk.changed());
});
