import { describe, expect, test } from "bun:test";
import { forgePlace } from "../../../src/domain/forge/forge-place.ts";

const AUTO = { kind: "auto", api_url: null };
const at = (address: string, forge = AUTO as { kind: string; api_url: string | null }, env = {}) => {
  const place = forgePlace(address, { env, forge });
  return place === null ? null : `${place.kind} ${place.apiUrl} ${place.owner}/${place.name}`;
};

describe("the forge of a remote", () => {
  test("is known by the host of its address, in every form of address", () => {
    const github = "github https://api.github.com ann/garden";
    expect(at("https://github.com/ann/garden.git")).toBe(github);
    expect(at("https://x-access-token@github.com/ann/garden/")).toBe(github);
    expect(at("git@github.com:ann/garden.git")).toBe(github);
    expect(at("ssh://git@ssh.github.com:443/ann/garden.git")).toBe(github);
    expect(at("https://gitlab.com/a/b/c.git")).toBe("gitlab https://gitlab.com/api/v4 a/b/c");
    expect(at("https://codeberg.org/ann/garden")).toBe("gitea https://codeberg.org/api/v1 ann/garden");
    expect(at("https://acme.ghe.com/ann/garden")).toBe("github https://api.acme.ghe.com ann/garden");
  });

  test("is not known for paths, other hosts and hosts that only look alike", () => {
    for (const address of [
      "/srv/garden.git",
      "../garden",
      "file:///srv/a/garden.git",
      "https://example.org/ann/garden",
      "https://github.com.example.org/ann/garden",
      "https://github.com/garden",
      "",
    ])
      expect(at(address)).toBeNull();
  });

  test("is named by the person's settings or environment, for that host alone", () => {
    const forge = { kind: "gitea", api_url: "https://git.acme.org" };
    expect(at("ssh://git@git.acme.org:2222/a/b.git", forge)).toBe("gitea https://git.acme.org/api/v1 a/b");
    expect(at("https://example.org/a/b.git", forge)).toBeNull();
    expect(at("https://github.com/a/b.git", forge)).toBe("github https://api.github.com a/b");
    expect(at("https://ghe.acme.org/a/b", AUTO, { GH_HOST: "ghe.acme.org" })).toBe(
      "github https://ghe.acme.org/api/v3 a/b",
    );
    expect(at("https://gl.acme.org/a/b", AUTO, { GITLAB_HOST: "https://gl.acme.org" })).toBe(
      "gitlab https://gl.acme.org/api/v4 a/b",
    );
    expect(at("https://ghe.acme.org/a/b", { kind: "github", api_url: null })).toBe(
      "github https://ghe.acme.org/api/v3 a/b",
    );
  });

  test("takes plain http only on this machine", () => {
    const forge = (api_url: string) => ({ kind: "github", api_url });
    expect(at("http://127.0.0.1:4000/a/b.git", forge("http://127.0.0.1:5000/api/v3"))).toBe(
      "github http://127.0.0.1:5000/api/v3 a/b",
    );
    expect(at("http://ghe.acme.org/a/b.git", forge("http://ghe.acme.org/api/v3"))).toBeNull();
  });
});
