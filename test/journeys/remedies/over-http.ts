/** Asks the HTTP API in the wrong way, and follows what each problem says. */
import { expect } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TaskDocument } from "../../../src/contract/task-document.ts";
import { ask } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import { wrongWords } from "./follow.ts";
import type { Scene } from "./obey.ts";

interface Request {
  readonly path: string;
  readonly method?: "POST" | "PATCH";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Wrong {
  readonly code: string;
  readonly asked: Request;
  /** What the remedy has to say, which the request `next` does. */
  readonly says: string;
  readonly next: Request;
}

const JSON_TYPE = { "content-type": "application/json" };

export const OVER_HTTP: Scene = {
  title: "requests over HTTP",
  codes: [
    "token_required",
    "host_not_allowed",
    "origin_not_allowed",
    "content_type",
    "bad_json",
    "body_too_large",
    "bad_request",
    "idempotency_key",
    "idempotency_key_reused",
    "environment_unknown",
    "last_event_id",
    "no_such_address",
    "bad_cursor",
    "file_not_changed",
    "no_picture",
    "changed_meanwhile",
    "message_without_edits",
    "hunk_missing",
    "decision_changed",
    "comment_fixed",
    "line_out_of_range",
    "unknown_check",
  ],
  async play(product, _obey, done) {
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    const { attempt, document } = await ask(product, [
      "run",
      "for n in 1 2 3; do echo $n > $n.txt; done",
      "--agent",
      "doer",
    ]);
    const server = JSON.parse(await readFile(join(product.home, "server.json"), "utf8")) as {
      url: string;
      token: string;
    };
    const own = { authorization: `Bearer ${server.token}` };
    const follow = async ({ code, asked, says, next }: Wrong) => {
      const problem = (await (await send(server.url, asked)).json()) as { code: string; remedy: string };
      expect([problem.code, problem.remedy]).toEqual([code, expect.stringContaining(says)]);
      expect(
        wrongWords(problem.remedy, { worktree: true }).filter((word) => word !== "it names no command"),
      ).toEqual([]);
      const answer = await send(server.url, next);
      expect({ code, status: answer.status, ok: answer.ok }).toEqual({
        code,
        status: answer.status,
        ok: true,
      });
      await answer.body?.cancel();
      done.add(code);
    };
    for (const wrong of [
      ...guarded(own),
      ...bodies(product, own),
      ...takes(document, own),
      ...(await comments(server.url, attempt.id, own)),
      checks(attempt.id, own),
      // The last of these sends a follow-up, so nothing that wants an ended run may come behind them.
      ...pages(attempt.id, own),
    ])
      await follow(wrong);
  },
};

function send(
  url: string,
  { path, method = "GET" as never, headers = {}, body }: Request,
): Promise<Response> {
  return fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
}

type Headers = Readonly<Record<string, string>>;

function guarded(own: Headers): readonly Wrong[] {
  const next = { path: "/api/v1/tasks", headers: own };
  const with_ = (headers: Headers) => ({ ...next, headers: { ...own, ...headers } });
  return [
    {
      code: "token_required",
      asked: { path: "/api/v1/tasks" },
      says: "`server.json` in the data folder",
      next,
    },
    { code: "token_required", asked: with_({ authorization: "Bearer x" }), says: "`server.json`", next },
    {
      code: "host_not_allowed",
      asked: with_({ host: "evil.example" }),
      says: "the address that `tazuna serve` printed",
      next,
    },
    {
      code: "origin_not_allowed",
      asked: with_({ origin: "http://evil.example" }),
      says: "from a program with the bearer token",
      next,
    },
    {
      code: "no_such_address",
      asked: { path: "/api/v1/nothing", headers: own },
      says: "below /api/v1",
      next,
    },
    {
      code: "environment_unknown",
      asked: with_({ "tazuna-environment": "x" }),
      says: "or leave the header out",
      next,
    },
    {
      code: "last_event_id",
      asked: { path: "/api/v1/events", headers: { ...own, "last-event-id": "x" } },
      says: "or none",
      next: { path: "/api/v1/events", headers: own },
    },
    { code: "bad_cursor", asked: { path: "/api/v1/tasks?cursor=x", headers: own }, says: "Leave out", next },
  ];
}

function bodies({ repository }: Product, own: Headers): readonly Wrong[] {
  const headers = { ...own, ...JSON_TYPE };
  const post = (body: string, more: Headers = {}): Request => ({
    path: "/api/v1/repositories",
    method: "POST",
    headers: { ...headers, ...more },
    body,
  });
  const good = JSON.stringify({ path: repository });
  const next = post(good);
  return [
    {
      code: "content_type",
      asked: post(good, { "content-type": "text/plain" }),
      says: "`Content-Type: application/json`",
      next,
    },
    { code: "bad_json", asked: post("{"), says: "Send one JSON object", next },
    { code: "body_too_large", asked: post(JSON.stringify({ path: "x".repeat(2_000_000) })), says: "", next },
    { code: "bad_request", asked: post(JSON.stringify({ pth: repository })), says: "Correct the body", next },
    {
      code: "idempotency_key",
      asked: post(good, { "idempotency-key": "ä".repeat(300) }),
      says: "UUID",
      next: post(good, { "idempotency-key": "4a4f7cd5-9d1e-4f62-8a5b-0c3f6a2b7c11" }),
    },
    {
      code: "idempotency_key_reused",
      asked: post(JSON.stringify({ path: `${repository}/` }), {
        "idempotency-key": "4a4f7cd5-9d1e-4f62-8a5b-0c3f6a2b7c11",
      }),
      says: "a new key",
      next: post(good, { "idempotency-key": "another" }),
    },
  ];
}

function takes({ task, attempts }: TaskDocument, headers: Headers): readonly Wrong[] {
  const compose = (hunks: readonly number[]): Request => ({
    path: `/api/v1/tasks/${task.id}/compose`,
    method: "POST",
    headers: { ...headers, ...JSON_TYPE },
    body: JSON.stringify({ take: [{ attempt: attempts[0]?.id, path: "1.txt", hunks }] }),
  });
  const says = "shows the hunks of each file";
  const choose = (more: object): Request => ({
    path: "/api/v1/decisions",
    method: "POST",
    headers: { ...headers, ...JSON_TYPE },
    body: JSON.stringify({ attempt: attempts[0]?.id, reason: "Small", ...more }),
  });
  return [
    { code: "hunk_missing", asked: compose([2]), says, next: compose([1]) },
    {
      code: "decision_changed",
      asked: choose({ replaces: "x" }),
      says: "`tazuna compare ",
      next: choose({}),
    },
  ];
}

async function comments(url: string, attempt: string, own: Headers): Promise<readonly Wrong[]> {
  const headers = { ...own, ...JSON_TYPE };
  const post = (line: number): Request => ({
    path: `/api/v1/attempts/${attempt}/comments`,
    method: "POST",
    headers,
    body: JSON.stringify({ path: "1.txt", line, body: "Why?" }),
  });
  const { id } = (await (await send(url, post(1))).json()) as { readonly id: string };
  const patch = (body: object): Request => ({
    path: `/api/v1/comments/${id}`,
    method: "PATCH",
    headers,
    body: JSON.stringify(body),
  });
  await send(url, patch({ resolved: true }));
  return [
    { code: "line_out_of_range", asked: post(9), says: "lines of the file on that side", next: post(1) },
    {
      code: "comment_fixed",
      asked: patch({ body: "How?" }),
      says: '`{ "resolved": true }`',
      next: patch({ resolved: true }),
    },
  ];
}

function checks(attempt: string, headers: Headers): Wrong {
  const path = `/api/v1/attempts/${attempt}/checks`;
  const body = JSON.stringify({ name: "nothing" });
  return {
    code: "unknown_check",
    asked: { path: `${path}/base`, method: "POST", headers: { ...headers, ...JSON_TYPE }, body },
    says: `GET /attempts/${attempt}/checks`,
    next: { path, headers },
  };
}

function pages(attempt: string, headers: Headers): readonly Wrong[] {
  const diff = `/api/v1/attempts/${attempt}/diff`;
  const files = { path: `${diff}?files=only`, headers };
  const gone = Buffer.from("0 gone.txt").toString("base64url");
  const runs = (body: object): Request => ({
    path: `/api/v1/attempts/${attempt}/runs`,
    method: "POST",
    headers: { ...headers, ...JSON_TYPE },
    body: JSON.stringify(body),
  });
  return [
    {
      code: "file_not_changed",
      asked: { path: `${diff}?path=nothing.txt`, headers },
      says: "`?files=only`",
      next: files,
    },
    {
      code: "no_picture",
      asked: { path: `/api/v1/attempts/${attempt}/picture?path=1.txt`, headers },
      says: "Read its diff instead",
      next: { path: `${diff}?path=1.txt`, headers },
    },
    {
      code: "changed_meanwhile",
      asked: { path: `${diff}?files=only&cursor=${gone}`, headers },
      says: "without `cursor`",
      next: files,
    },
    {
      code: "message_without_edits",
      asked: runs({ instruction: "true", message: "Mine" }),
      says: "or leave out the message",
      next: runs({ instruction: "true" }),
    },
  ];
}
