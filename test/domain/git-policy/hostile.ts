/** Lists calls that lose something, run something, or leave the workspace, with the code that each must be refused with. */
import { wordsOf } from "./everyday.ts";

const D = "DESTRUCTIVE_BLOCKED";
const O = "OPTION_NOT_ALLOWED";
const W = "OUTSIDE_WORKSPACE";
const U = "UNSAFE_URL";
const S = "SUBCOMMAND_NOT_ALLOWED";
const I = "INVALID_ARGUMENT";
const CODES: Readonly<Record<string, string>> = { D, O, W, U, S, I };

/** A rule stands behind the call after ` # `, if it is of interest. */
export const HOSTILE = String.raw`
D push --force # push.force
D push -f # push.force
D push origin main -f
D push --force-with-lease # push.force
D push --force-with-lease=main:abc origin main
D push --force-if-includes
D push -uf origin main
D push -qf
D push -vfu origin main
D push origin +main # push.force
D push -- origin +main # push.force
D push origin +HEAD:main
D push --end-of-options origin +main
D push origin :main # push.delete
D push origin :refs/heads/main
D push origin main :old
D push origin +:main
D push --delete origin main # push.delete
D push -d origin main
D push origin -d main
D push --mirror # push.mirror
D push --mirror origin
D push --prune origin # push.prune
D push --prune origin refs/heads/*:refs/heads/*
D push --force --no-force
D push --force -n --no-dry-run
D push -o x -f origin main
D reset --hard # reset.hard
D reset --hard HEAD~1
D reset HEAD~1 --hard
D reset --soft --hard
D reset --hard --soft
D reset -q --hard
D reset --merge
D reset --keep HEAD~1
D reset --recurse-submodules
D checkout --recurse-submodules main # option.submodules
D switch --recurse-submodules=on-demand main
D pull --recurse-submodules # option.submodules
D pull --append origin main # pull.append
D submodule update --checkout # option.submodules
D submodule update --init --merge
D submodule update -r
D clean # clean.force
D clean -f # clean.force
D clean -fd
D clean -fx
D clean -fxd
D clean -df
D clean -xfd
D clean -dfx
D clean --force # clean.force
D clean --force -d
D clean -d
D clean -e -n -f # clean.force
D clean -n --no-dry-run -f
D clean --no-dry-run -nf
D clean -fe -n
D clean -fe-n
D clean -fX
D clean -f -- -n
D clean -q -ff
D branch -D x # branch.delete
D branch -qD x
D branch -Dq x
D branch --delete --force x # branch.force
D branch -d --force x
D branch --delete -f x
D branch -df x
D branch -fd x
D branch --force x HEAD~1
D branch -f x HEAD~1
D branch -M x
D branch -M a b
D branch -C a b
D branch -m -f a b
D branch -mf a b
D branch -d -r origin/x # branch.delete-remote
D branch -rd origin/x
D branch --list -D x
D tag -d v1 # tag.delete
D tag --delete v1
D tag -f v1 # tag.force
D tag --force v1 HEAD
D tag -af v1 -m x
D tag -fam x v1
D checkout . # checkout.paths
D checkout -- . # checkout.paths
D checkout -- file
D checkout HEAD file
D checkout HEAD -- file
D checkout HEAD~1 src/app.txt
D checkout :/
D checkout ./file
D checkout src/
D checkout *.txt
D checkout :(top)x
D checkout a b
D checkout -q .
D checkout -f # checkout.force
D checkout -f main
D checkout --force main
D checkout -qf main
D checkout -fb x
D checkout -B main # checkout.reset-branch
D checkout -Bfeature
D checkout -qBfeature
D checkout -m main
D checkout --merge main
D checkout --conflict=diff3 main
D checkout --ours file
D checkout --theirs -- file
D checkout -2 file
D checkout --pathspec-from-file=list
D checkout --overwrite-ignore main
D checkout --ignore-other-worktrees main
D checkout -b x main file
D switch -f main
D switch --force main
D switch --discard-changes main
D switch -C main
D switch --force-create main
D switch -qC main
D switch -m main
D switch --conflict=merge main
D switch --ignore-other-worktrees main
D switch --overwrite-ignore main
D restore . # restore.worktree
D restore file
D restore -- file
D restore --worktree file
D restore --staged --worktree file
D restore -SW file
D restore -WS file
D restore --staged --no-staged file
D restore --source=HEAD~1 file
D restore -s HEAD~1 .
D restore --ours file
D restore -s --staged .
D rm -f file # rm.force
D rm -rf .
D rm -r --force src
D rm -fr src
D rm --cached -f file
D rm -n -f --no-dry-run file
D mv -f a b # mv.force
D mv --force a b
D mv -kf a b
D stash drop # stash.drop
D stash drop stash@{1}
D stash clear # stash.drop
D stash drop -q
D reflog expire --all # reflog.expire
D reflog expire --expire=now --all
D reflog delete HEAD@{1}
D reflog delete --rewrite HEAD@{1}
D reflog drop --all
D reflog expire -n --no-dry-run --all
D worktree remove ./wt # worktree.remove
D worktree remove -f ./wt
D worktree remove --force ./wt
D worktree remove wt # worktree.remove
D worktree remove --force wt
O worktree move wt wt2 # worktree.by-name
W worktree remove --force ../wt
W worktree remove --force /tmp/wt
W worktree move /tmp/wt wt2
W checkout --pathspec-from-file=/etc/passwd
W checkout -f --pathspec-from-file ../x
D worktree add -f wt main
D worktree add -B main wt
D worktree add --force wt
D worktree move -f ./a b
D worktree prune
D submodule deinit lib
D submodule deinit -f --all
D submodule update --force
D submodule update -f --init
D submodule -q update --init --force
D notes remove HEAD
D notes add -f -m x
D notes add -fm x
D notes --ref=review remove HEAD
D notes prune
D notes copy -f a b
D notes merge --abort
D merge --abort # merge.abort
D merge --overwrite-ignore x
D rebase --abort # rebase.abort
D rebase --skip
D cherry-pick --abort
D cherry-pick --skip
D revert --abort
D revert --skip
D am --abort
D am --skip
D fetch --force origin # fetch.force
D fetch -f origin main
D fetch -qf
D fetch origin +main:main # fetch.overwrite
D fetch origin +refs/heads/*:refs/heads/*
D fetch origin +refs/tags/*:refs/tags/*
D fetch --prune origin refs/heads/*:refs/heads/*
D fetch -p origin main:main
D fetch --refmap=+refs/heads/*:refs/heads/* origin main
D fetch -P origin
D fetch --prune-tags origin
D fetch -pP origin
D fetch --depth 1
D fetch --depth=1 origin
D fetch --update-shallow
D fetch --shallow-since=yesterday
D pull --force
D pull -f origin main
D pull origin +main:main
D pull --depth=1
D pull --prune origin refs/heads/*:refs/heads/*
D remote remove origin # remote.remove
D remote rm origin
D remote -v remove origin # remote.remove
D remote add --mirror=fetch x https://e.com/x
D remote add --mirror x https://e.com/x
D remote set-url --delete origin .*
O push --forc
O push --mirr
O push --dele origin x
O reset --har # option.abbreviated
O reset --hard=HEAD~1
O clean --forc
O clean --int
O branch --dele --forc x
O branch --forc x
O checkout --forc main
O fetch --upload-pa=touch${"\t"}x
O fetch --upl=x origin
O clone --upl=x https://e.com/x
O clone --conf=core.fsmonitor=x https://e.com/x
O log --outp=x
O rebase --exe=x main
O rebase --exec ls main # option.program
O rebase --exec=ls main
O rebase -x ls main
O rebase -xls main
O rebase -qxls main
O rebase -i main # option.interactive
O rebase -ix ls main
O rebase --interactive HEAD~3
O rebase --edit-todo
O bisect run ls # bisect.run
O bisect run sh -c ls
O bisect visualize
O bisect view
O bisect replay log
O submodule foreach ls # submodule.foreach
O submodule -q foreach ls
O submodule --quiet foreach --recursive ls
O fetch --upload-pack=ls origin # option.program
O fetch --upload-pack ls origin
O pull --upload-pack=ls origin
O push --receive-pack=ls origin
O push --receive-pack ls origin
O push --exec=ls origin
O push --exec ls origin
O clone -u ls https://e.com/x
O clone -uls https://e.com/x
O clone --upload-pack=ls https://e.com/x
O clone -c core.fsmonitor=ls https://e.com/x # option.configuration
O clone -ccore.fsmonitor=ls https://e.com/x
O clone --config core.sshCommand=ls https://e.com/x
O clone --config=core.sshCommand=ls https://e.com/x
O clone --template=hooks https://e.com/x
O clone --separate-git-dir=x https://e.com/x
O init --template=hooks # option.template
O init --template hooks
O init --separate-git-dir=elsewhere
O diff --output=x # diff.output
O diff --output x
O log --output=/etc/x
O log -p --output x
O show --output=x HEAD
O stash show --output=x
O stash list --output=x
O reflog show --output=x
O reflog --output=x
O shortlog --output=x HEAD
O blame --output=x f
O diff --no-index a b # diff.no-index
O diff --no-index -- a b
O diff --ext-diff
O log --ext-diff -p
O show --textconv HEAD
O diff --textconv
O blame --textconv f
O diff --submodule=diff
O cat-file --textconv HEAD:x
O cat-file --filters HEAD:x
O cat-file --filters --path=x HEAD
O log --stdin
O log --alternate-refs
O fetch --stdin
O notes copy --stdin
O notes remove --stdin
O notes edit
O add -i
O add -p
O add --patch
O add -e
O add --edit
O add -Ap
O checkout -p
O checkout --patch main
O checkout -qp
O reset -p
O reset --patch HEAD
O restore -p
O restore --staged -p
O restore -Sp
O commit -p
O commit --patch
O commit --interactive
O commit -ap
O stash push -p
O stash -p
O stash save --patch
O clean -i
O clean -fi
O clean --interactive
O am -i
O am --interactive
O branch --edit-description
O pull --rebase=interactive
O pull --rebase=i
O pull -ri
O merge -s evil x
O merge -sevil x
O merge --strategy=evil x
O merge -q -s ../../x x
O rebase -s evil main
O rebase --strategy evil main
O cherry-pick --strategy=evil x
O pull -s evil
O apply --unsafe-paths x.patch
O apply --build-fake-ancestor=x y.patch
O apply --build-fake-ancestor x y.patch
O am --patch-format=stgit-series series
O fetch --update-head-ok origin main:main
O fetch -u origin main:main
O status --help
O log --help
O commit --help
O rev-parse --parseopt
O status -X
O status --exec=x
O log -c core.pager=x --paginate
O diff --foo
O commit -xm a
O checkout --end-of-options -f
O reset --end-of-options --hard
O stash push --end-of-options x
O remote set-branches origin x:refs/heads/main
O remote add -t a:refs/heads/b x https://e.com/x
O remote foo
O stash foo
O worktree
O worktree foo
O bisect foo
O notes foo
O submodule foo
O submodule --recursive
O worktree add .git/hooks/x
O clone https://e.com/x .git/x
O init .git
O mv f .git/hooks/pre-commit # path.git-folder
O mv -k .git/config f
O mv f sub/.Git/x
O init sub/.GIT
O submodule add https://e.com/x .git/modules/x
W commit -F /etc/passwd # path.outside
W commit -F/etc/passwd
W commit --file=/etc/passwd
W commit --file /etc/passwd
W commit -aF /etc/passwd
W commit -aF/etc/passwd
W commit -S -F /etc/passwd
W commit -t /etc/passwd
W commit --template=../x
W commit -F ../secret
W commit -F sub/../../secret
W commit -F :(optional)/etc/passwd
W commit -F //host/share
W commit -F \\host\share
W commit -F ..\secret
W commit -F C:\secret
W commit -F C:secret
W commit --pathspec-from-file=/etc/passwd
W add --pathspec-from-file=/etc/passwd
W add --pathspec-from-file ../x
W add ../outside
W add -- ../outside
W add /etc/passwd
W add :(icase)../x
W add :!../x
W rm --pathspec-from-file=/etc/passwd
W rm ../x
W mv a ../b
W mv /etc/passwd b
W reset --pathspec-from-file=/etc/passwd
W stash push --pathspec-from-file=/etc/passwd
W tag -F /etc/passwd v1
W tag -aF/etc/passwd v1
W notes add -F /etc/passwd
W notes append --file=/etc/passwd
W merge -F /etc/passwd x
W blame --contents /etc/passwd f
W blame --contents=/etc/passwd f
W blame -S /etc/passwd f
W blame -S/etc/passwd f
W blame --ignore-revs-file=/etc/passwd f
W blame --ignore-revs-file /etc/passwd f
W ls-files -X /etc/passwd
W ls-files -oX/etc/passwd
W ls-files --exclude-from=/etc/passwd
O ls-files --exclude-per-directory=../../x # option.value
O ls-files -o --exclude-per-directory=/etc/passwd
O ls-files -o --exclude-per-directory secret
U remote show ../other
U remote prune ../other
U remote update ../other
U remote show ext::sh
W diff -O/etc/passwd
W diff -O /etc/passwd
W diff -pO/etc/passwd
W log -O../x
W diff /etc/passwd a
W diff ../secret a
W diff a sub/../../x
W diff -- /etc/passwd a
W diff -- a ../x
W diff --end-of-options /etc/passwd a
W show /etc/passwd
W apply /etc/x.patch
W apply ../x.patch
W apply --directory=../x x.patch
W am ../x.mbox
W am /tmp/x.mbox
W init ../x
W init /tmp/x
W clone https://e.com/x ../x
W clone https://e.com/x /tmp/x
U clone ../other copy
U clone /etc copy
U clone file:///etc copy
U clone --reference ../x https://e.com/x
U clone --reference=/x https://e.com/x
W worktree add ../wt
W worktree add /tmp/wt main
W worktree move wt ../wt
W worktree repair /tmp/wt
W rev-parse --resolve-git-dir /etc
U fetch ../other
U fetch /srv/x.git main
U pull ../other main
U push ../other main
U push --repo=../other
U push file:///srv/x.git main
U remote add x ../other
U remote set-url origin /srv/x
U submodule add ../x lib
W submodule add https://e.com/x ../lib
U submodule set-url lib ../x
U submodule add --reference ../x https://e.com/x lib
U clone ext::sh${"\t"}x # url.unsafe
U clone ext::ls copy
U fetch ext::ls
U fetch fd::3
U pull ext::ls main
U push ext::ls main
U push --repo=ext::ls
U remote add x ext::ls
U remote set-url origin ext::ls
U submodule add ext::ls lib
U submodule set-url lib ext::ls
U clone foo::https://e.com/x
U clone http://e.com/x
U clone git://e.com/x
U clone ftp://e.com/x
U clone rsync://e.com/x
U clone foo://e.com/x
U clone EXT::ls
U clone ssh://-oProxyCommand=ls/x
U clone ssh://u@-oProxyCommand=ls/x
U clone -- -oProxyCommand=ls:x
U clone u@-oProxyCommand=ls:x
U clone host:-x
U clone file:///%2e%2e/x
U clone --bundle-uri=http://e.com/x https://e.com/x
U fetch --multiple origin ext::ls
U remote set-url --add origin ext::ls
U clone https://
U clone https://e.com\@f.com/x
U clone :x
S config user.name x # subcommand.unknown
S gc
S grep x
S filter-branch
S update-ref -d HEAD
S -c core.fsmonitor=x status
S -C .. status
S --git-dir=x status
S --exec-path=x status
S --config-env=a=b status
S -p status
S --paginate log
S constructor
S __proto__
S toString
S hasOwnProperty
S Status
S status\u0020
S difftool
S ls-remote ext::ls
S archive
S daemon
S hook run x
S maintenance run
S sparse-checkout set x
S symbolic-ref HEAD refs/heads/x
S send-email
S upload-pack x
I commit -m a\u0000b
I add a\u0000b
I commit -F${"\t"}
I commit -F${"\t"} 
I commit -F${"\t"}a\nb
D remote set-url origin https://e.com/x # remote.set-url
D remote set-url --push origin git@e.com:x
D remote -v set-url origin https://e.com/x
O fetch origin refs/replace/*:refs/replace/* # refspec.replace
O fetch origin +refs/*:refs/*
O fetch origin refs/heads/x:refs/replace/0123
O fetch --refmap=refs/*:refs/re* origin
O pull origin main:refs/replace/0123
O push origin refs/replace/0123 # refspec.replace
O push origin refs/replace/*:refs/replace/*
O push origin refs/*:refs/*
O push origin HEAD:replace/0123
U clone ./x copy # url.unsafe
U clone ./sub copy
U clone -l . copy
U clone --shared . copy
U clone --no-hardlinks . copy
U fetch . main:feature
U clone x copy
U clone x.git
U clone . copy
U clone ~/x copy
U clone c:/x copy
U clone c:x copy
U clone ./host:x copy
U clone dir/host:x copy
U clone /srv/x.bundle copy
U clone x.bundle
U clone file:x copy
U clone file:./x copy
U clone FILE:///srv/x copy
U clone file://host/srv/x copy
U clone file://localhost/srv/x copy
U clone --reference x https://e.com/x
U clone --reference-if-able x https://e.com/x
U clone --reference-if-able=./x https://e.com/x
U clone --bundle-uri=x.bundle https://e.com/x
U clone --bundle-uri=https://e.com/list https://e.com/x # url.bundle
U clone --bundle-uri=file:///x https://e.com/x
U fetch ./x
U fetch .
U fetch ..
U fetch sub/x
U fetch ~una/x
U fetch ./x.bundle main
U fetch --multiple origin ./x
U fetch file:///srv/x.git
U fetch c:\x
U pull . main
U pull ./x main
U push . main
U push ./x main
U push -- ./x main
U push --repo=./x
U push --repo ./x
U push file://x/../y main
U remote add x ./y
U remote add x y
U remote add -f x ./y
U remote add x file:///srv/y
U remote set-url origin x
U remote set-url --add origin ./x
U remote set-url --push origin x
U remote set-head -a ./x
U remote update ./x
U remote prune ./x
U remote show ./x
U remote show -n ./x
U submodule add ./x lib
U submodule add x lib
U submodule add --reference x https://e.com/x lib
U submodule update --reference x
U submodule set-url lib x
`
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const [call = "", rule = null] = line.slice(2).split(" # ");
    const words = wordsOf(call).map((word) =>
      word.replaceAll("\\u0020", " ").replaceAll("\\u0000", "\0").replaceAll("\\n", "\n"),
    );
    return { code: CODES[line[0] ?? ""] ?? "", words, rule };
  });
