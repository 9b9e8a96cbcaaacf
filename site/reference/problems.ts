import { problemIds, type RegisteredProblem, registry, renamedIds } from "../../src/diagnostics/registry.ts";
import { guards } from "../../src/planner/blocks/guards.ts";
import { explanationText, ruleText } from "../../src/report/api/explanation.ts";
import { isRule } from "../../src/workflow/project/switchable.ts";
import { explain } from "../../src/workflow/start/explain.ts";
import { block, type Page, prose } from "../page.ts";

/** A page for each rule about zones. */
export function listRules(): Page[] {
  return problemIds.filter(isRule).map((id) => problemPage("rules", registry[id]));
}

/** A page for each other id that a message can have in brackets. */
export function listErrors(): Page[] {
  return problemIds.filter((id) => !isRule(id)).map((id) => problemPage("errors", registry[id]));
}

function problemPage(folder: string, problem: RegisteredProblem): Page {
  const [head = "", why = "", ...rest] = ruleText(problem).split("\n");
  const former = [...renamedIds].filter(([, id]) => id === problem.id).map(([old]) => `\`${old}\``);
  return {
    path: `reference/${folder}/${problem.id.replace("/", "-")}`,
    title: problem.id,
    text: [
      `# ${problem.id}`,
      `${prose(head.slice(problem.id.length + 2).replace(/^./, (letter) => letter.toUpperCase()))}.`,
      prose(why.trim()),
      ...(former.length === 0 ? [] : [`Before version 0.2 its id was ${former.join(" or ")}.`]),
      block(rest.join("\n").trim()),
      `In a terminal: \`zonewright explain ${problem.id}\`.`,
      "",
    ].join("\n\n"),
  };
}

/** A page for each guard. */
export function listGuards(): Page[] {
  return guards.map(({ guard, title, about }) => ({
    path: `reference/guards/${guard}`,
    title: `${guard}: ${title}`,
    text: [
      `# ${guard}: ${title}`,
      `Blocks a plan that ${prose(about)}, until someone approves it. [Guards](../../guards.md) says how.`,
      block(explanationText(explain(guard)).split("\n").slice(2).join("\n").trim()),
      `In a terminal: \`zonewright explain ${guard}\`.`,
      "",
    ].join("\n\n"),
  }));
}
