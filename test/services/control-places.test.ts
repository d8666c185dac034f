import { describe, expect, test } from "bun:test";
import { controlPlaces } from "../../src/services/confinement/control-places.ts";

const HOME = "/home/una";
const KNOWN = controlPlaces({}, HOME);

describe("controlPlaces", () => {
  test("of every home are those of virtual machines and container engines", () => {
    for (const place of [".colima", ".lima", ".rd", ".orbstack", ".minikube", ".1password"])
      expect(KNOWN).toContain(`${HOME}/${place}`);
  });

  test.each([
    ["DOCKER_HOST", "unix:///home/una/vm/docker.sock", ["/home/una/vm/docker.sock"]],
    ["DOCKER_HOST", "tcp://127.0.0.1:2375", []],
    ["SSH_AUTH_SOCK", "/home/una/agents/../keys.sock", ["/home/una/keys.sock"]],
    ["SSH_AUTH_SOCK", "", []],
    ["GPG_AGENT_INFO", "/home/una/gpg agent:4711:1", ["/home/una/gpg agent"]],
    [
      "DBUS_SESSION_BUS_ADDRESS",
      "unix:path=/home/una/bus,guid=0a1b;unix:path=/home/una/second",
      ["/home/una/bus", "/home/una/second"],
    ],
    ["DBUS_SESSION_BUS_ADDRESS", "unix:abstract=/tmp/dbus-x,guid=0a1b", []],
    ["XDG_RUNTIME_DIR", "/var/runtime/una", ["/var/runtime/una"]],
    ["TMUX", "/home/una/.tmux/default,4711,0", ["/home/una/.tmux/default"]],
    ["KITTY_LISTEN_ON", "unix:/home/una/kitty-1", ["/home/una/kitty-1"]],
    ["KITTY_LISTEN_ON", "unix:@kitty", []],
    ["WAYLAND_DISPLAY", "wayland-0", []],
    ["LIMA_HOME", "/data/lima", ["/data/lima"]],
    ["NVIM", "/home/una/.cache/nvim.sock", ["/home/una/.cache/nvim.sock"]],
    ["XDG_RUNTIME_DIR", HOME, []],
    ["XDG_RUNTIME_DIR", "/home", []],
    ["EDITOR", "/usr/bin/vi", []],
  ])("%s=%s names %j", (name, value, places) => {
    expect(controlPlaces({ [name]: value }, HOME).slice(KNOWN.length)).toEqual(places);
  });
});
