/** The words of the browsers that are signed in. */
import { words } from "../words.ts";

export const browserWords = words(
  {
    hint: "Each may do what its person may; without a person it may do everything. One that is signed out has to sign in anew; that cannot be undone.",
    here: "this browser",
    nameless: "A browser without a name",
    since: "since {{time}}",
    seen: "seen {{time}}",
    ends: "ends in {{time}}",
    by: "signed in at {{worker}}",
    signOut: "Sign out",
    signOutOthers: "Sign out all others",
    signedOut: "{{name}} is signed out",
    othersOut_one: "{{count}} browser is signed out",
    othersOut_other: "{{count}} browsers are signed out",
  },
  {
    hint: "それぞれ、使う人の役割の範囲で操作できます。人の表示がないものはすべてを行えます。サインアウトすると改めてサインインが必要で、元に戻せません。",
    here: "このブラウザー",
    nameless: "名前のないブラウザー",
    since: "サインイン {{time}}",
    seen: "最終確認 {{time}}",
    ends: "残り {{time}}",
    by: "{{worker}} でサインイン",
    signOut: "サインアウト",
    signOutOthers: "ほかをすべてサインアウト",
    signedOut: "{{name}} をサインアウトしました",
    othersOut_other: "{{count}} 個のブラウザーをサインアウトしました",
  },
);
