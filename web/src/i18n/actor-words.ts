/** The words for who asked; the screens that tell it load them. */
import { words } from "./words.ts";

export const actorWords = words(
  {
    by: "By",
    stoppedBy: "Stopped by {{name}}",
    trustedBy: "trusted by {{name}}",
    drainedBy: "by {{name}}",
    owner: "owner",
    ownerOf: "owner of {{name}}",
    browser: "browser",
    browserAt: "browser at {{name}}",
    person: "person",
    token: "token {{name}}",
    agent: "agent {{name}}",
    tazuna: "Tazuna",
  },
  {
    by: "依頼者",
    stoppedBy: "停止: {{name}}",
    trustedBy: "信頼: {{name}}",
    drainedBy: "依頼者: {{name}}",
    owner: "オーナー",
    ownerOf: "{{name}} のオーナー",
    browser: "ブラウザ",
    browserAt: "{{name}} のブラウザ",
    person: "利用者",
    token: "トークン {{name}}",
    agent: "エージェント {{name}}",
    tazuna: "Tazuna",
  },
);
