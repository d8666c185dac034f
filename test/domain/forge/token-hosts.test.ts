import { describe, expect, test } from "bun:test";
import { hostTokens, takeTokens } from "../../../src/domain/forge/token-hosts.ts";

const NONE = { kind: "auto", api_url: null };
const GITHUB = { TAZUNA_GITHUB_TOKEN: "token-of-hub" };
const GITLAB = { TAZUNA_GITLAB_TOKEN: "token-of-lab" };
const GITEA = { TAZUNA_GITEA_TOKEN: "token-of-tea" };

/** `protocol://user:token@host` of each. */
const places = (...[tokens, names]: Parameters<typeof hostTokens>) =>
  hostTokens(tokens, names).map((one) => `${one.protocol}://${one.username}:${one.password}@${one.host}`);

describe("a forge token goes to one host", () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    [
      "GitHub's own, where nothing names another",
      places(GITHUB, { env: {}, forge: NONE }),
      ["https://x-access-token:token-of-hub@github.com"],
    ],
    [
      "GH_HOST",
      places(GITHUB, { env: { GH_HOST: "ghe.corp" }, forge: NONE }),
      ["https://x-access-token:token-of-hub@ghe.corp"],
    ],
    [
      "the host of GITHUB_API_URL",
      places(GITHUB, { env: { GITHUB_API_URL: "https://ghe.corp:8443/api/v3" }, forge: NONE }),
      ["https://x-access-token:token-of-hub@ghe.corp:8443"],
    ],
    [
      "github.com, where its own API is named",
      places(GITHUB, { env: { GITHUB_API_URL: "https://api.github.com" }, forge: NONE }),
      ["https://x-access-token:token-of-hub@github.com"],
    ],
    [
      "a tenant's host, where the tenant's API is named",
      places(GITHUB, { env: { GITHUB_API_URL: "https://api.acme.ghe.com" }, forge: NONE }),
      ["https://x-access-token:token-of-hub@acme.ghe.com"],
    ],
    [
      "the configured one before the environment's",
      places(GITHUB, {
        env: { GH_HOST: "ghe.corp" },
        forge: { kind: "github", api_url: "https://other.corp/api/v3" },
      }),
      ["https://x-access-token:token-of-hub@other.corp"],
    ],
    [
      "its own, where another kind of forge is configured",
      places(GITHUB, { env: {}, forge: { kind: "gitlab", api_url: "https://lab.corp/api/v4" } }),
      ["https://x-access-token:token-of-hub@github.com"],
    ],
    [
      "plain http on loopback, where that is named",
      places(GITHUB, { env: { GITHUB_API_URL: "http://127.0.0.1:8080/api" }, forge: NONE }),
      ["http://x-access-token:token-of-hub@127.0.0.1:8080"],
    ],
    [
      "nowhere, where plain http to another machine is named",
      places(GITHUB, { env: { GITHUB_API_URL: "http://ghe.corp/api" }, forge: NONE }),
      [],
    ],
    [
      "nowhere, where what is named is no host",
      places(GITHUB, { env: { GH_HOST: "not a host" }, forge: NONE }),
      [],
    ],
    ["GitLab's own", places(GITLAB, { env: {}, forge: NONE }), ["https://oauth2:token-of-lab@gitlab.com"]],
    [
      "GITLAB_HOST as an address",
      places(GITLAB, { env: { GITLAB_HOST: "https://lab.corp/" }, forge: NONE }),
      ["https://oauth2:token-of-lab@lab.corp"],
    ],
    ["nowhere, where no Gitea is configured", places(GITEA, { env: {}, forge: NONE }), []],
    [
      "the configured Gitea",
      places(GITEA, { env: {}, forge: { kind: "gitea", api_url: "https://tea.corp/api/v1" } }),
      ["https://x-access-token:token-of-tea@tea.corp"],
    ],
    [
      "nowhere with a line break in it",
      places({ TAZUNA_GITHUB_TOKEN: "a\nhost=evil" }, { env: {}, forge: NONE }),
      [],
    ],
    [
      "without the line break that a file ends with",
      places({ TAZUNA_GITHUB_TOKEN: "token\n" }, { env: {}, forge: NONE }),
      ["https://x-access-token:token@github.com"],
    ],
  ];
  for (const [what, got, wanted] of cases) test(what, () => expect(got).toEqual(wanted));
});

test("tokens are taken out of an environment, and nothing else", () => {
  const env = {
    PATH: "/bin",
    TAZUNA_HOME: "/t",
    TAZUNA_GITHUB_TOKEN: "a",
    TAZUNA_GITEA_TOKEN: "",
    GH_TOKEN: "b",
  };
  expect(takeTokens(env)).toEqual({
    env: { PATH: "/bin", TAZUNA_HOME: "/t", GH_TOKEN: "b" },
    tokens: { TAZUNA_GITHUB_TOKEN: "a" },
  });
});
