import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { agentEnvironment, heldBack } from "../../../src/domain/agent/environment.ts";

describe("the environment of an agent", () => {
  test("is the user's, minus what no agent gets, plus what the plan adds", () => {
    const user = {
      PATH: "/bin",
      HOME: "/home/u",
      LANG: "ja_JP.UTF-8",
      ANTHROPIC_API_KEY: "kept: it is the agent's own",
      GH_TOKEN: "1",
      GITHUB_TOKEN: "2",
      GITLAB_TOKEN: "3",
      SSH_AUTH_SOCK: "/s",
      GIT_DIR: "/x",
      GIT_CONFIG_KEY_0: "credential.helper",
      TAZUNA_HOME: "/t",
      TAZUNA_GITHUB_TOKEN: "4",
      AWS_SECRET_ACCESS_KEY: "5",
      AWS_REGION: "eu",
      GITHUB_ACTOR: "kept",
      PWD: "/home/u/project",
      UNSET: undefined,
    };
    const added = { TAZUNA_RUN: "r", HOME: "/second", GH_TOKEN: "asked for by name" };
    expect(agentEnvironment({ user, deny: ["AWS_*"], cwd: "/w", added })).toEqual({
      env: {
        PWD: "/w",
        PATH: "/bin",
        HOME: "/second",
        LANG: "ja_JP.UTF-8",
        ANTHROPIC_API_KEY: "kept: it is the agent's own",
        GITHUB_ACTOR: "kept",
        TAZUNA_RUN: "r",
        GH_TOKEN: "asked for by name",
      },
      withheld: [
        ...["AWS_REGION", "AWS_SECRET_ACCESS_KEY", "GH_TOKEN", "GITHUB_TOKEN", "GITLAB_TOKEN"],
        ...["GIT_CONFIG_KEY_0", "GIT_DIR", "SSH_AUTH_SOCK", "TAZUNA_GITHUB_TOKEN", "TAZUNA_HOME"],
      ],
      secret: [
        ...["AWS_REGION", "AWS_SECRET_ACCESS_KEY", "GH_TOKEN", "GITHUB_TOKEN", "GITLAB_TOKEN"],
        ...["GIT_CONFIG_KEY_0", "TAZUNA_GITHUB_TOKEN"],
      ],
    });
  });

  test("takes patterns by letters alone, whatever they hold", () => {
    const user = { "A.B": "1", AxB: "2", "A+": "3", x_TOKEN_y: "4", lower_case: "5" };
    const { withheld } = agentEnvironment({
      user,
      deny: ["A.B", "A+", "*token*", "LOWER_*"],
      cwd: "/w",
      added: {},
    });
    expect(withheld).toEqual(["A+", "A.B", "lower_case", "x_TOKEN_y"]);
  });

  test("never lets a withheld name through, and loses no other", () => {
    const names = fc.oneof(
      fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 12 }),
      fc.constantFrom("GIT_X", "TAZUNA_Y", "GH_TOKEN", "PATH", "constructor", "__proto__"),
    );
    fc.assert(
      fc.property(fc.dictionary(names, fc.string()), fc.array(names, { maxLength: 3 }), (user, deny) => {
        const { env, withheld } = agentEnvironment({ user, deny, cwd: "/w", added: {} });
        const all = new Set([...Object.keys(env), ...withheld]);
        expect(all).toEqual(new Set([...Object.keys(user), "PWD"]));
        for (const name of Object.keys(env)) expect(name).not.toMatch(/^(GIT_|TAZUNA_)/i);
      }),
    );
  });
});

test("the variables with the secrets of webhooks are held back, and a repository's file frees none of the person's", () => {
  const secrets = (forge: string | null, notify: string | null) => ({
    forge: { webhook_secret_env: forge },
    notify: { webhook_secret_env: notify },
  });
  const values = { ...secrets("THEIRS", null), env: { deny: ["NPM_*"] } };
  expect(heldBack({ values, without: secrets("MINE", "HOOK") })).toEqual(["NPM_*", "THEIRS", "MINE", "HOOK"]);
});
