/** Makes, lists and removes the rules by which people allow the same again. Each change is in the journal. */
import { err, ok, type Result } from "neverthrow";
import { type AnswerRule, ruleOf } from "../../domain/question/answer-rule.ts";
import type { Question } from "../../domain/question/question.ts";
import type { WriteTransaction } from "../../storage/schema/schema.ts";
import { appendFact } from "../../storage/tables/facts.ts";
import { insertOperation } from "../../storage/tables/operations.ts";
import { deleteAnswerRule, insertAnswerRule, listAnswerRules } from "../../storage/tables/questions.ts";
import { listRepositories } from "../../storage/tables/repositories.ts";
import { transact } from "../../storage/transact.ts";
import type { Uses } from "../core/context-parts.ts";
import type { AttemptInRepository } from "../core/find-place.ts";
import { askedBy } from "../core/journal.ts";
import { type Refusal, refuse } from "../core/refusal.ts";
import { namedAnywhere } from "../repositories/named-repository.ts";
import { repositoryTarget } from "../run-core/targets.ts";

interface NewRule {
  readonly place: AttemptInRepository;
  readonly question: Question;
  /** As the person gave it: all of what is asked, or its first words. */
  readonly always: string;
  readonly by: string | null;
}

/** In the transaction of the answer. `unfit`: that is not what is asked, or it cannot be a rule. */
export async function makeRule(
  context: Uses<"clock" | "newId" | "owner" | "actor">,
  trx: WriteTransaction,
  { place, question, always, by }: NewRule,
): Promise<Result<AnswerRule, "unfit">> {
  const { attempt, repository } = place;
  const part = ruleOf(question, always, attempt.worktree);
  if (part === null) return err("unfit");
  const same = ({ kind, text, folder, asks, touches }: typeof part) =>
    JSON.stringify([kind, text, folder, asks, touches]);
  const known = await listAnswerRules(trx, repository.id);
  const before = known.find((rule) => same(rule) === same(part));
  if (before !== undefined) return ok(before);
  const at = context.clock.iso();
  const id = context.newId();
  const rule = { ...part, id, repositoryId: repository.id, questionId: question.id, by, at };
  await insertAnswerRule(trx, rule);
  await journal(context, trx, { kind: "answer_rule_added", rule, by });
  return ok(rule);
}

/** The oldest first; of one repository by its id or name, or of all. */
export async function listRules(
  context: Uses<"db" | "owner" | "actor">,
  repository: string | null,
): Promise<Result<readonly AnswerRule[], Refusal>> {
  if (repository === null) return ok(await listAnswerRules(context.db.reader, null));
  const found = await namedAnywhere(context, repository);
  return found.isErr() ? err(found.error) : ok(await listAnswerRules(context.db.reader, found.value.id));
}

/** By its id or a unique prefix of it. Answers with what it was. */
export async function removeRule(
  context: Uses<"db" | "git" | "clock" | "newId" | "owner" | "actor" | "newFacts">,
  id: string,
): Promise<Result<AnswerRule, Refusal>> {
  const rules = await listAnswerRules(context.db.reader, null);
  const [rule, ...others] = rules.filter((each) => each.id.startsWith(id));
  if (rule === undefined || id === "") return err(noRule(id));
  if (others.length > 0) return err(ambiguous(id, [rule, ...others]));
  const repositories = await listRepositories(context.db.reader, null);
  const repository = repositories.find((each) => each.id === rule.repositoryId);
  const by = repository === undefined ? null : await askedBy(context, repositoryTarget(repository));
  const removed = await transact(context.db, async (trx) => {
    const was = await deleteAnswerRule(trx, rule.id);
    if (was !== null) await journal(context, trx, { kind: "answer_rule_removed", rule: was, by });
    return was;
  });
  context.newFacts.notify();
  return removed === null ? err(noRule(id)) : ok(removed);
}

async function journal(
  context: Uses<"clock" | "newId" | "owner" | "actor">,
  trx: WriteTransaction,
  { kind, rule, by }: { readonly kind: string; readonly rule: AnswerRule; readonly by: string | null },
): Promise<void> {
  const at = context.clock.iso();
  const id = context.newId();
  await insertOperation(trx, {
    id,
    workerId: context.owner,
    actor: context.actor,
    kind,
    subject: { type: "repository", id: rule.repositoryId },
    before: { by, reason: rule.text },
    after: { rule: rule.id, kind: rule.kind, text: rule.text, folder: rule.folder },
    status: "done",
    undoable: false,
    at,
    endedAt: at,
  });
  const ids = { taskId: null, attemptId: null, runId: null };
  await appendFact(trx, {
    at,
    kind: "operation.done",
    ...ids,
    data: { operation: id, kind, status: "done" },
  });
}

function noRule(id: string): Refusal {
  return refuse("not_found", "not_found", `No rule has the id "${id}".`, {
    remedy: "`tazuna rules` shows the ids; any unique prefix will do.",
    details: { id },
  });
}

function ambiguous(id: string, rules: readonly AnswerRule[]): Refusal {
  return refuse("bad_request", "ambiguous_id", `"${id}" fits several rules.`, {
    remedy: `Name one of them by its id: ${rules.map((rule) => rule.id).join(" or ")}.`,
    details: { candidates: rules.map((rule) => ({ type: "rule", id: rule.id })) },
  });
}
