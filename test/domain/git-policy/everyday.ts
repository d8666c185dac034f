/** Lists calls that people and agents make every day; each must be allowed, with the tier that stands before it. */

/** `r` reads, `w` writes; the words are separated by blanks, or by tabs if a word holds blanks. */
export const EVERYDAY = `
r status
r status -s
r status -sb
r status --porcelain
r status --porcelain=v2 --branch -z
r status --short --branch --untracked-files=all
r status -uno
r status -u
r status --ignored
r status -- src
r status -h
r diff
r diff HEAD
r diff --stat
r diff --stat --name-only -U3 -w
r diff --cached
r diff --staged -- src/app.ts
r diff HEAD...origin/main
r diff main..feature
r diff HEAD~1 HEAD
r diff HEAD~3 -- src
r diff --name-status origin/main...HEAD
r diff --numstat -z HEAD
r diff -M90% --find-copies-harder
r diff --color=never --no-ext-diff
r diff --word-diff=porcelain
r diff --diff-filter=ACMR --name-only
r diff -U10 a.txt b.txt
r diff --check
r diff --exit-code --quiet
r diff --minimal --ignore-all-space --ignore-blank-lines
r diff --merge-base main
r diff -G	re(.*)x
r diff -- --output=x
r diff --no-color --no-textconv -- .
r diff --submodule=log
r diff -O order.txt
r log
r log -5 --oneline
r log -n 5
r log -n5
r log --max-count=10
r log -p -5 --oneline --graph --stat --since=2.weeks --author=Una -S text -G re -L 1,3:src/app.txt
r log main..feature
r log origin/main...HEAD --left-right
r log --oneline --graph --decorate --all
r log --format=%H%x00%s -z
r log --pretty=format:%h	--date=iso
r log --pretty=oneline --abbrev-commit
r log --grep --force
r log --grep=--output=x -i
r log --grep	fix: .*	-E
r log --follow -- src/app.txt
r log -p -- src/app.txt
r log --since	2 weeks ago	--until=yesterday
r log --name-only --no-merges
r log --first-parent -m
r log --cherry-pick --right-only main...HEAD
r log -1 --format=%B HEAD
r log -- -f
r log --no-walk --tags
r log --branches=x* --not --remotes=origin
r log -g
r log --show-signature -1
r log HEAD^..HEAD
r log v1.0.0..
r log ..origin/main
r log --ancestry-path a..b
r log --diff-merges=first-parent
r log --end-of-options HEAD
r show
r show HEAD:src/app.txt
r show HEAD~2 --stat
r show --name-only --format= HEAD
r show -s --format=%ci
r show stash@{0}
r show :/fix
r show v1^{commit}
r show --no-patch HEAD
r show -m --first-parent HEAD
r branch
r branch -a
r branch -vv
r branch -a -vv --list x*
r branch -r
r branch --show-current
r branch --list feature/*
r branch --contains HEAD
r branch --contains
r branch --merged main
r branch --no-merged
r branch --sort=-committerdate --format=%(refname:short)
r branch -q --points-at HEAD
w branch feature
w branch feature main
w branch -m new-name
w branch -m old new
w branch -c old new
w branch -d merged
w branch -u origin/main
w branch --set-upstream-to=origin/main feature
w branch --unset-upstream
w branch --track feature origin/feature
w branch -v foo
r remote
r remote -v
r remote show
r remote show -n origin
r remote show origin
r remote get-url origin
r remote -v show origin
w remote add upstream https://example.com/a/b.git
w remote add upstream git@example.com:a/b.git
w remote rename origin upstream
w remote set-head origin -a
w remote prune origin
w remote update -p
w remote set-branches origin main
r tag
r tag -l
r tag -l v1.*
r tag --list --sort=-version:refname
r tag -n3
r tag -n
r tag --contains HEAD~2
r tag --points-at HEAD
r tag -v v1.0.0
w tag v1.0.0
w tag -a v1.0.0 -m	release one
w tag v1.0.0 HEAD~1
w tag -am	--force	v2
w tag -a v1 -F notes.txt
r rev-parse HEAD
r rev-parse --show-toplevel
r rev-parse --show-toplevel HEAD
r rev-parse --abbrev-ref HEAD
r rev-parse --abbrev-ref --symbolic-full-name @{u}
r rev-parse --short HEAD
r rev-parse --short=8 HEAD
r rev-parse --verify --quiet refs/heads/main
r rev-parse --git-dir --git-common-dir
r rev-parse --is-inside-work-tree
r rev-parse --git-path hooks
r rev-parse HEAD^{tree}
r describe
r describe --tags --always
r describe --tags --always --dirty --abbrev=8
r describe --all --exact-match HEAD
r describe --match v* --exclude=*-rc*
r shortlog -sn
r shortlog -sne HEAD
r shortlog -s -n --no-merges main..feature
r shortlog --group=author HEAD
r ls-files
r ls-files -z --others --exclude-standard
r ls-files -m -d
r ls-files -s -- src
r ls-files --error-unmatch src/app.txt
r ls-files -co --exclude-standard
r ls-files -u
r ls-files -x *.log -o
r ls-files --eol
r ls-tree HEAD
r ls-tree -r --name-only HEAD
r ls-tree -rlz HEAD src/
r cat-file -p HEAD
r cat-file -t HEAD
r cat-file -e HEAD:src/app.txt
r cat-file blob HEAD:src/app.txt
r cat-file --batch-check --batch-all-objects
r blame src/app.txt
r blame -L 1,10 f
r blame -L	/^a/,+3	f
r blame -w -M -C -C f
r blame --line-porcelain HEAD~1 -- f
r blame -s --date=short f
r blame --ignore-rev HEAD f
r blame --ignore-revs-file .git-blame-ignore-revs f
r reflog
r reflog -5
r reflog show HEAD
r reflog main
r reflog show --date=iso -n 3
r reflog exists refs/heads/main
w add .
w add -A
w add -u
w add src/app.ts test/app.test.ts
w add -- -f
w add -n .
w add -N new.txt
w add --chmod=+x run.sh
w add -f build/keep.txt
w add :/
w add :(exclude)*.log .
w commit -m	reset --hard is bad
w commit -m --force
w commit -am	wip: all
w commit --message=--amend
w commit --amend --no-edit
w commit --allow-empty -m x
w commit -m a -m b
w commit -F msg.txt
w commit -F -
w commit --fixup HEAD~1
w commit --author	Una <una@example.com>	-m x
w commit -S -m x
w commit -s -m x -- src/app.txt
w commit --dry-run --short
w commit -qm x
w commit --no-verify -m x
w commit --trailer	Reviewed-by: x	-m y
w checkout main
w checkout -b x
w checkout -b x origin/main
w checkout -b fix/a-b --track origin/fix/a-b
w checkout -q main --
w checkout --detach HEAD~1
w checkout -
w checkout --orphan pages
w switch main
w switch -c feature
w switch -c feature origin/main
w switch -
w switch --detach HEAD~1
w merge feature
w merge --no-ff feature
w merge --no-ff -m	merge it	feature
w merge --ff-only origin/main
w merge --squash feature
w merge --continue
w merge --quit
w merge -s ort -X theirs feature
w merge --no-commit --no-ff feature
w rebase main
w rebase --continue
w rebase --onto main a b
w rebase origin/main feature
w rebase --autostash main
w rebase --rebase-merges main
w rebase --quit
r rebase --show-current-patch
w stash
w stash -u
w stash push -m	work in progress
w stash push -m -p
w stash push -- src/app.txt
w stash -m x
w stash push --include-untracked --keep-index
r stash list
r stash list -p
r stash list --format=%gd
r stash show -p stash@{0}
r stash show --stat
w stash pop
w stash pop --index stash@{1}
w stash apply
w stash branch rescue
w stash save	before the change
w cherry-pick abc123
w cherry-pick -x abc123
w cherry-pick -n abc123
w cherry-pick a..b
w cherry-pick --continue
w cherry-pick -m 1 abc123
w reset
w reset HEAD src/app.txt
w reset -- src/app.txt
w reset --soft HEAD~1
w reset --mixed HEAD~1
w reset HEAD~1
w reset -q HEAD -- .
w revert HEAD
w revert --no-edit HEAD~2..HEAD
w revert -n HEAD
w revert -m 1 HEAD
w fetch
w fetch origin
w fetch --prune origin
w fetch -p --all
w fetch origin main
w fetch origin main:main
w fetch origin +refs/heads/*:refs/remotes/origin/*
w fetch origin refs/pull/1/head:pr-1
w fetch --tags origin
w fetch --dry-run
w fetch --unshallow
w fetch -q --no-tags origin main
w fetch https://example.com/a/b.git main
w pull
w pull --rebase
w pull --rebase origin main
w pull --rebase=merges
w pull --ff-only
w pull --no-rebase origin main
w pull -r --autostash
w push
w push origin HEAD
w push origin main
w push -u origin feature
w push --set-upstream origin HEAD:refs/heads/feature
w push origin main:main
w push --tags
w push origin v1.0.0
w push origin tag v1.0.0
w push -o -f origin main
w push --push-option=--force origin main
w push --dry-run origin main
w push -n --force origin main
w push --follow-tags --atomic origin main
w push --no-verify
w restore --staged .
w restore --staged src/app.txt
w restore -S -- src/app.txt
w restore --source=HEAD~1 --staged f
w rm old.txt
w rm -r --cached build
w rm --cached -- -f
w rm -n -r src
w rm -qr old/
w mv a.txt b.txt
w mv -n a.txt dir/
w mv -k -v a b dir
w init
w init -b main
w init sub/new-repo
w init --bare remote.git
w clone https://github.com/a/b.git
w clone --depth 1 https://github.com/a/b.git vendor/b
w clone git@github.com:a/b.git
w clone -b v1 --single-branch https://github.com/a/b
r worktree list
r worktree list --porcelain -z
w worktree add wt
w worktree add -b feature wt/feature origin/main
w worktree add --detach wt HEAD
w worktree lock --reason	in use	wt
w worktree unlock wt
w worktree prune -n
w worktree move ./wt wt2
r submodule
r submodule status --recursive
w submodule update --init --recursive
w submodule update --init -- lib/a
w submodule -q init
w submodule sync --recursive
r submodule summary
w submodule add https://github.com/a/b.git lib/b
w submodule set-branch -b main lib/b
r notes
r notes list
r notes show HEAD
w notes add -m	a note	HEAD
w notes append -m more
w notes --ref=review add -m x
w notes copy a b
w notes prune -n
w bisect start
w bisect start HEAD v1.0
w bisect start --term-old=fast --term-new=slow
w bisect good
w bisect bad HEAD~1
w bisect skip
w bisect reset
r bisect log
w apply fix.patch
w apply --check fix.patch
w apply --3way -p1 fix.patch
w apply --stat fix.patch
w apply -R fix.patch
w apply --cached fix.patch
w am 0001-x.patch
w am -3 0001-x.patch 0002-y.patch
w am --continue
r am --show-current-patch=diff
w am --quit
w clean -n
w clean -nd
w clean -nf
w clean -n -e -f
w clean --dry-run -dx -- build
w clean -ndX
`
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => {
    const [tier, rest] = [line.slice(0, 1), line.slice(2)];
    return { tier: tier === "r" ? "read" : "write", words: wordsOf(rest) } as const;
  });

/** `log --grep<TAB>fix: .*<TAB>-E`: with tabs, the piece before the first one is split at blanks, the others are whole. */
export function wordsOf(line: string): readonly string[] {
  const [head = "", ...whole] = line.split("\t");
  return [...head.split(" "), ...whole];
}
