/** Holds what every git process of the tools is given, so that nothing of a repository's own runs beside git. */

/** Git configuration as key and value; it outranks every configuration file. */
export type ConfigPairs = Readonly<Record<string, string>>;

/** What a call that only reads the state needs; nothing here changes what git answers. */
export const READING_CONFIG: ConfigPairs = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "safe.bareRepository": "explicit",
};

/** For everything else: no pager, editor, hook, helper, signature or background work. */
export const FULL_CONFIG: ConfigPairs = {
  ...READING_CONFIG,
  "core.pager": "cat",
  "core.editor": "true",
  "sequence.editor": "true",
  "core.sshCommand": "ssh",
  "core.gitProxy": "",
  "core.askPass": "",
  // `exit 0 #` names no reference; an empty command would be run as a program.
  "core.alternateRefsCommand": "exit 0 #",
  "credential.helper": "",
  "diff.external": "",
  // Shown as a diff, git would run in a submodule, by that one's configuration.
  "diff.submodule": "short",
  // A merge that is done again runs merge drivers, in a call that only reads.
  "log.diffMerges": "separate",
  "status.submoduleSummary": "false",
  "interactive.diffFilter": "",
  "commit.template": "",
  "init.templateDir": "",
  // What is amended or reset away is kept by its log alone.
  "core.logAllRefUpdates": "true",
  // A file under a name that some systems take for .git would be git's own.
  "core.protectHFS": "true",
  "core.protectNTFS": "true",
  // A stash may lose untracked files; where it is asked for by name it is looked at first.
  "merge.autoStash": "false",
  // Where it is asked for by name, what is in the way is looked for.
  "am.threeWay": "false",
  "rebase.autoStash": "false",
  "protocol.allow": "never",
  "protocol.https.allow": "always",
  "protocol.ssh.allow": "always",
  "protocol.file.allow": "user",
  "protocol.ext.allow": "never",
  "http.followRedirects": "false",
  "http.saveCookies": "false",
  "submodule.recurse": "false",
  "fetch.recurseSubmodules": "no",
  "push.recurseSubmodules": "no",
  "clean.requireForce": "true",
  "commit.gpgSign": "false",
  "tag.gpgSign": "false",
  "push.gpgSign": "false",
  "log.showSignature": "false",
  "gpg.program": "false",
  "gpg.openpgp.program": "false",
  "gpg.ssh.program": "false",
  "gpg.x509.program": "false",
  "gpg.ssh.defaultKeyCommand": "false",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "uploadpack.packObjectsHook": "",
};

export const READING_VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  // A list of protocols: none of that name exists, so that missing objects of a partial clone are not fetched.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_PAGER: "cat",
};

export const FULL_VARIABLES: Readonly<Record<string, string>> = {
  ...READING_VARIABLES,
  GIT_ASKPASS: "true",
  SSH_ASKPASS: "true",
  SSH_ASKPASS_REQUIRE: "never",
  GCM_INTERACTIVE: "never",
  // An editor that changes nothing: what git asks to be written is refused by git itself where it is empty.
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_MERGE_AUTOEDIT: "no",
  PAGER: "cat",
  TERM: "dumb",
  GIT_PROTOCOL_FROM_USER: "0",
  GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_CONFIG_NOSYSTEM: "1",
};

/** What a command that talks to a remote may speak. `file` is for remotes on this machine. */
export const REMOTE_PROTOCOLS = "https:ssh:file";
/** Addresses of submodules stand in a file of the tree: they bring in nothing of this machine, as git's own default has it. */
export const SUBMODULE_PROTOCOLS = "https:ssh";

/** All that `git_command` takes over from the caller: where programs, the user's configuration and keys are, and how time is told. */
export const PASSED_VARIABLES: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "TMPDIR",
  "TMP",
  "TEMP",
  "TZ",
  "XDG_CONFIG_HOME",
  "SSH_AUTH_SOCK",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "ALL_PROXY",
  "NO_PROXY",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
  "SYSTEMROOT",
  "SYSTEMDRIVE",
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "USERPROFILE",
  "HOMEDRIVE",
  "HOMEPATH",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
  "PROGRAMFILES",
]);
