/** Runs GraphQL on what the small GitHub holds, with the part of GitHub's published schema that Tazuna asks. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { buildSchema, GraphQLError, type GraphQLSchema, graphql } from "graphql";
import { type Said, said } from "./answers.ts";
import { type Garden, type LineComment, type Pull, touch } from "./garden.ts";

const FILE = join(import.meta.dir, "../../fixtures/github/schema.graphql");

let known: GraphQLSchema | null = null;
const schemaOf = () => {
  known ??= buildSchema(readFileSync(FILE, "utf8"));
  return known;
};

interface Request {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** `faults` names what GitHub's schema refuses; a refusal of GitHub's own is no fault. */
export async function graphqlAnswer(
  garden: Garden,
  { body, writes }: { readonly body: unknown; readonly writes: boolean },
): Promise<{ readonly said: Said; readonly faults: readonly string[] }> {
  const { query, variables } = body as Request;
  const result = await graphql({
    schema: schemaOf(),
    source: query,
    rootValue: rootOf(garden, writes),
    variableValues: variables,
  });
  const errors = result.errors?.map(({ message, path, extensions }) => ({
    ...(typeof extensions.type === "string" ? { type: extensions.type } : {}),
    message,
    ...(path === undefined ? {} : { path }),
  }));
  const faults = (errors ?? []).filter(({ type }) => type === undefined).map(({ message }) => message);
  return { said: said({ data: result.data ?? null, ...(errors && { errors }) }), faults };
}

/** An error of GitHub's own, by its type. */
function refusal(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } });
}

function rootOf(garden: Garden, writes: boolean) {
  const drafted = (draft: boolean) => (args: { readonly input: { readonly pullRequestId: string } }) => {
    const pull = garden.pulls.find(({ number }) => args.input.pullRequestId === `node ${number}`);
    if (pull === undefined) throw refusal("NOT_FOUND", "Could not resolve to a node with the global id.");
    if (!writes) throw refusal("FORBIDDEN", "Resource not accessible by personal access token");
    if (draft && !garden.drafts) throw refusal("UNPROCESSABLE", "Drafts are not supported here.");
    if (pull.state !== "open") throw refusal("UNPROCESSABLE", "The pull request is closed.");
    pull.draft = draft;
    touch(pull);
    return { pullRequest: shown(garden, pull) };
  };
  return {
    repository: ({ owner, name }: { readonly owner: string; readonly name: string }) => {
      // It follows to a new name by itself.
      if (![garden.name, ...garden.oldNames].includes(`${owner}/${name}`))
        throw refusal("NOT_FOUND", `Could not resolve to a Repository with the name '${owner}/${name}'.`);
      return {
        pullRequest: ({ number }: { readonly number: number }) => {
          const pull = garden.pulls.find((one) => one.number === number);
          if (pull === undefined)
            throw refusal("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
          return shown(garden, pull);
        },
      };
    },
    markPullRequestReadyForReview: drafted(false),
    convertPullRequestToDraft: drafted(true),
  };
}

function shown(garden: Garden, pull: Pull) {
  return {
    isDraft: pull.draft,
    reviewThreads: ({ first, after }: { readonly first: number; readonly after?: string | null }) => {
      const threads = garden.comments.filter(({ answers }) => answers === undefined);
      const from = Number(after ?? 0);
      const nodes = threads.slice(from, from + first).map(thread);
      const hasNextPage = threads.length > from + first;
      return { pageInfo: { hasNextPage, endCursor: String(from + nodes.length) }, nodes };
    },
  };
}

function thread({ id, resolved = false }: LineComment) {
  return { isResolved: resolved, comments: () => ({ nodes: [{ fullDatabaseId: String(id) }] }) };
}
