/** Keeps of an OpenAPI description the operations that are named, the schemas that they use, and one example of each shape. */

type Json = Readonly<Record<string, unknown>>;

const REPOSITORY = "/repos/{owner}/{repo}";
const PULL = `${REPOSITORY}/pulls/{pull_number}`;

/** What Tazuna asks for, and what the colleague of the tests does. */
const OPERATIONS: readonly (readonly [string, readonly string[]])[] = [
  [REPOSITORY, ["get"]],
  [`${REPOSITORY}/pulls`, ["get", "post"]],
  [PULL, ["get", "patch"]],
  [`${PULL}/merge`, ["put"]],
  [`${PULL}/update-branch`, ["put"]],
  [`${PULL}/comments`, ["get"]],
  [`${PULL}/reviews`, ["get"]],
  [`${PULL}/comments/{comment_id}/replies`, ["post"]],
  [`${REPOSITORY}/issues/{issue_number}/comments`, ["get", "post"]],
  [`${REPOSITORY}/commits/{ref}/check-runs`, ["get"]],
  [`${REPOSITORY}/commits/{ref}/statuses`, ["get"]],
  [`${REPOSITORY}/check-runs/{check_run_id}`, ["get"]],
  [`${REPOSITORY}/actions/jobs/{job_id}/logs`, ["get"]],
  [`${REPOSITORY}/branches/{branch}/rename`, ["post"]],
];

/** GitHub's own examples, which the answers of the tests are made from. */
const EXAMPLES = [
  "full-repository",
  "pull-request",
  "pull-request-simple-items",
  "check-run",
  "status-items",
  "pull-request-review-comment",
  "pull-request-review",
  "issue-comment",
  "branch-with-protection",
];

export function cutOpenapi(whole: Json): Json {
  const components = whole.components as Readonly<Record<string, Json>>;
  const schemas: Record<string, unknown> = {};
  const kept = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(kept);
    if (typeof node !== "object" || node === null) return node;
    const { $ref } = node as { readonly $ref?: string };
    if ($ref === undefined) return Object.fromEntries(entriesOf(node).map(([k, v]) => [k, kept(v)]));
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(.+)$/.exec($ref) ?? [];
    const target = components[kind]?.[name];
    // Only schemas may be used within themselves.
    if (kind !== "schemas") return kept(target);
    if (!Object.hasOwn(schemas, name)) {
      schemas[name] = null;
      schemas[name] = kept(target);
    }
    return { $ref };
  };
  const paths = whole.paths as Readonly<Record<string, Json>>;
  const cut = Object.fromEntries(
    OPERATIONS.map(([path, methods]) => [
      path,
      Object.fromEntries(methods.map((method) => [method, kept(operation(paths[path]?.[method]))])),
    ]),
  );
  const examples = Object.fromEntries(EXAMPLES.map((name) => [name, components.examples?.[name]]));
  return { openapi: whole.openapi, info: whole.info, paths: cut, components: { schemas, examples } };
}

/** Without what only a page of documentation shows. */
function operation(given: unknown): unknown {
  const { operationId, parameters, requestBody, responses } = given as Json;
  return { operationId, parameters, requestBody, responses };
}

const FOR_PAGES = ["description", "example", "examples", "title", "headers", "x-github-breaking-changes"];

/** A property may have any name, those of the pages too. */
function entriesOf(node: object): readonly (readonly [string, unknown])[] {
  return Object.entries(node).filter(
    ([key, value]) => !FOR_PAGES.includes(key) || (typeof value === "object" && isSchema(value)),
  );
}

function isSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && ("type" in value || "$ref" in value);
}
