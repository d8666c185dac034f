/** Lists further calls that people and agents make, with the options that they use beside those of `everyday.ts`. */
import { wordsOf } from "./everyday.ts";

/**
 * As in `everyday.ts`: `r` reads, `w` writes. If a line has a tab, only the piece before the first one is split at
 * blanks.
 */
export const EVERYDAY_OPTIONS = `
r status -sb --ahead-behind
r status --porcelain=v1 -z
r status -uall
r status -u no
r status --untracked-files no
r status --untracked-files=normal --ignored=matching
r status --ignore-submodules=dirty
r status --show-stash
r status --no-renames
r status --column
r status -vv
r status .
r status :/
r status -s -- :!vendor
r status -v
r diff HEAD~1 --stat
r diff HEAD~1 HEAD --stat=120
r diff @{u}
r diff @{upstream}..
r diff origin/main...
r diff --stat=200,150 main
r diff -U0
r diff -u
r diff -p --stat
r diff -w HEAD -- src/
r diff -b
r diff HEAD -- :!package-lock.json
r diff HEAD -- . :(exclude)*.lock
r diff --cached --name-only --diff-filter=d
r diff --name-only -z HEAD~5..HEAD
r diff --color=always
r diff --color-words
r diff --word-diff
r diff --word-diff=color
r diff --word-diff-regex=.
r diff --no-renames
r diff -C -C
r diff -D
r diff --histogram
r diff --patience
r diff --diff-algorithm=minimal
r diff --dirstat=lines
r diff --shortstat
r diff --summary
r diff --raw
r diff --full-index --binary
r diff -R
r diff --relative
r diff --relative=src
r diff --no-prefix
r diff -I ^import
r diff --ignore-submodules
r diff --submodule
r diff HEAD:src/app.ts src/app.ts
r diff HEAD:a.txt HEAD~1:a.txt
r diff stash@{0}
r diff stash@{0}^ stash@{0}
r diff stash
r diff --cached HEAD~1
r diff --text
r diff --ws-error-highlight=all
r diff --inter-hunk-context=3
r diff -W
r diff --function-context
r diff --quiet HEAD
r diff --compact-summary
r diff --stat-count=5
r diff --find-renames=40%
r diff --merge-base main HEAD
r diff :1:a.txt :3:a.txt
r diff --ours
r diff --theirs a.txt
r diff --base
r diff --cc a.txt
r diff --name-only --diff-filter=U
r diff --ita-invisible-in-index
r diff v1.0 v2.0 -- docs
r diff main feature -- a.txt
r diff HEAD@{1}
r diff HEAD@{1.day.ago}
r diff HEAD^!
r diff HEAD^1 HEAD^2
r diff -- a b
r diff --exit-code
r diff --no-ext-diff --no-textconv
r diff --src-prefix=x/ --dst-prefix=y/
r diff -a
r diff -z --name-status
r diff --pickaxe-regex -S foo.*
r diff --skip-to=a.txt
r diff --anchored=foo
r diff --color-moved=zebra
r diff --staged --name-status
r diff --name-only -z
r diff main...feature
r diff --stat HEAD~1 HEAD
r diff --numstat
r diff -w --word-diff
r diff HEAD -- . :(exclude)README.md
r diff HEAD:README.md README.md
r diff --diff-filter=U --name-only
r diff -M -C HEAD~2
r diff --dirstat HEAD~2
r diff --relative=src HEAD~1
r diff HEAD@{0}
r diff --stat -- src
r log --oneline --graph -20 --all -- src
r log -1
r log -1 --pretty=%B
r log --oneline -n20
r log --oneline origin/main..
r log --oneline @{u}..HEAD
r log --all --oneline --source
r log --grep=fix --grep=bug --all-match
r log -S	old function	--oneline
r log -Sfoo -p
r log -G foo --name-only
r log -L10,20:src/app.ts
r log -L :func:src/app.ts
r log -L /re/,+5:src/app.ts
r log --follow -p src/app.ts
r log --follow --name-status -- src/app.ts
r log --diff-filter=D --summary
r log --diff-filter=A -- *.ts
r log --stat -3
r log --numstat --format=
r log --shortstat
r log --raw -1
r log --merges -5
r log --first-parent main
r log --no-merges --since=1.month
r log --since=2024-01-01 --until=2024-02-01
r log --after	2 weeks ago
r log --author=Una --committer=una
r log --author	Una User
r log --date=format:%Y-%m-%d
r log --date=relative
r log --date=iso-strict
r log --topo-order
r log --date-order
r log --reverse
r log --skip=10 -n 5
r log --decorate=short
r log --decorate=full
r log --no-decorate
r log --decorate-refs=refs/tags
r log --simplify-by-decoration --pretty=format:%d
r log --show-notes
r log --notes=review
r log --no-notes
r log --cherry main...feature
r log --cherry-mark --left-right main...feature
r log --boundary main..feature
r log --full-history -- gone.txt
r log --walk-reflogs
r log -g --grep-reflog=checkout
r log --reflog
r log --color=always --oneline
r log --no-color
r log --abbrev=12 --oneline
r log --exclude=refs/remotes/* --all
r log --glob=refs/heads/feat*
r log --branches --not --remotes
r log --tags --no-walk --oneline
r log --remotes=origin
r log --merge
r log --merge -p
r log -c -p -1
r log --cc -1
r log -m -p -1
r log --remerge-diff -1
r log --mailmap
r log --use-mailmap
r log --pretty=fuller
r log --pretty=reference
r log --pretty=raw
r log --format=fuller
r log --pretty	oneline
r log -p -U1 -- src
r log -p -w --word-diff
r log --name-only --pretty=format: -- src
r log --max-parents=0 HEAD
r log --min-parents=2
r log main -- README.md
r log HEAD -- :/README.md
r log -- README.md docs
r log README.md
r log HEAD~3..HEAD~1
r log -n 1 --skip 1
r log --left-only main...HEAD
r log --ancestry-path=abc a..b
r log -1 -- .
r log --encoding=UTF-8
r log --graph --abbrev-commit --decorate --format=format:%C(bold blue)%h%C(reset) --all
r log -i --grep=FIX
r log -E --grep=fix|bug
r log -P --grep=^fix
r log --invert-grep --grep=wip
r log --show-signature
r log --log-size
r log --children
r log --parents --oneline
r log --since-as-filter=1.week
r log --bisect
r log refs/stash
r log stash@{0} -1
r log HEAD@{yesterday}
r log ORIG_HEAD..HEAD
r log FETCH_HEAD
r log MERGE_HEAD...HEAD
r log CHERRY_PICK_HEAD -1
r log --cherry-pick --no-merges --right-only main...topic
r log -t -1
r log -5 --stat --summary -M
r log --find-object=abcdef
r log --quiet
r log --oneline --no-abbrev-commit
r log --submodule=log -p
r log --submodule -p
r log --dirstat -1
r log --patch-with-stat -1
r log --unified=0 -1
r log --no-patch -1
r log --no-ext-diff -p
r log --relative -- .
r log --all -- **/package.json
r log --pickaxe-all -Sfoo -p
r log --shortstat --author=Una --since=yesterday
r log -3 --stat
r log -p -2
r log --oneline --decorate --all
r log -S	TWO	--oneline
r log -GTWO --name-only
r log -L1,2:src/app.ts
r log -L:foo:src/app.ts
r log --follow --name-status -- docs/longer.md
r log --pretty=format:%h|%s -n 5
r log --date=short --format=%ad
r log main..feature --oneline
r log --merges
r log --no-merges --first-parent
r log -g -3
r log --notes -1
r log --grep=fix -i
r log -z --format=%H
r log --graph --pretty=format:%C(yellow)%h%Creset
r log --cc -1 -p
r log -m -1 -p
r log --reverse --oneline
r log --simplify-by-decoration --oneline
r log --left-right --oneline main...feature
r log --diff-filter=A --name-only --format=
r log --all --source --oneline
r log -1 -- README.md
r log --submodule -p -1
r log origin/main -1
r log @{u}.. --oneline
r show HEAD
r show HEAD~1 HEAD~2
r show --stat --oneline HEAD
r show HEAD:path/to/file
r show HEAD:./file
r show HEAD~3:src/
r show main:
r show :0:a.txt
r show :2:a.txt
r show -1
r show v1.0
r show v1.0^{}
r show --name-status --oneline HEAD
r show HEAD -- src/app.ts
r show --first-parent HEAD
r show --cc HEAD
r show --remerge-diff HEAD
r show --word-diff HEAD
r show --color HEAD
r show stash@{0} --stat
r show stash --name-only
r show stash@{0}^3 --stat
r show --raw HEAD
r show -U10 HEAD
r show -w HEAD
r show --patch HEAD
r show abc1234
r show ORIG_HEAD
r show HEAD^2
r show refs/notes/commits
r show --notes HEAD
r show :/fix bug
r show HEAD^{/fix}
r show --no-notes HEAD
r show --quiet HEAD
r show --summary HEAD
r show -p -m HEAD
r show --diff-merges=on HEAD
r show --abbrev-commit HEAD
r show origin/main:package.json
r show --stat
r show HEAD:src/app.ts
r show HEAD~1 --name-only
r show v1.1
r show v1.0:README.md
r show HEAD:src/
r show HEAD -- src
r show :README.md
r show --format=fuller -s
r show feature:feature.txt
r blame -L10,20 src/app.ts
r blame -L 10,+5 src/app.ts
r blame -L :func src/app.ts
r blame HEAD~3 src/app.ts
r blame HEAD~3 -- src/app.ts
r blame main..feature -- a.txt
r blame -C -C -C src/app.ts
r blame -CCC src/app.ts
r blame -M20 src/app.ts
r blame -e src/app.ts
r blame -p src/app.ts
r blame --porcelain src/app.ts
r blame -w -L 5,5 src/app.ts
r blame --since=3.weeks -- src/app.ts
r blame --reverse v1..HEAD src/app.ts
r blame --date=iso src/app.ts
r blame --abbrev=7 src/app.ts
r blame -l -t src/app.ts
r blame --root src/app.ts
r blame -f -n src/app.ts
r blame --color-lines f
r blame --incremental f
r blame --contents - f
r blame -b f
r blame --no-progress f
r blame --first-parent f
r blame src/app.ts
r blame -L 1,2 src/app.ts
r blame -L	/TWO|MAIN/,+1	src/app.ts
r blame HEAD~1 -- src/app.ts
r blame -w -C src/app.ts
r blame -e -s src/app.ts
r blame --date=short README.md
r branch -v
r branch --all --verbose
r branch -avv
r branch -rv
r branch --list
r branch --list -a *feat*
r branch -l
r branch --merged
r branch --merged HEAD --no-contains x
r branch -r --merged origin/main
r branch -r --contains HEAD
r branch --no-merged main --sort=authordate
r branch --sort -committerdate
r branch --points-at=HEAD
r branch --column
r branch --no-column
r branch --color=never
r branch --no-color -a
r branch --abbrev=12 -v
r branch -i --list F*
w branch feature origin/main --no-track
w branch --no-track feature origin/main
w branch -t feature origin/feature
w branch --track=inherit x main
w branch --set-upstream-to origin/main
w branch -u origin/feature feature
w branch --move old new
w branch --copy a b
w branch --delete merged
w branch -d a b c
w branch -m main
r branch -vv --sort=-committerdate
r branch --show-current --no-color
r branch --ignore-case
w branch --create-reflog x
r branch --list f*
r tag -l v1.* v2.*
r tag --list -n1
r tag -n5 --sort=-creatordate
r tag --sort=v:refname
r tag --merged main
r tag --no-merged
r tag --no-contains HEAD
r tag -l --points-at HEAD
r tag --column
r tag -v v1
w tag v2 abc123
w tag -a v1 abc -m msg
w tag -m msg v1
w tag -s v1 -m x
w tag -u key v1 -m x
w tag --annotate --message=x v1
w tag -a v1 -F -
w tag --cleanup=verbatim -m x v1
r tag -i -l V*
w tag --no-sign -m x v1
r tag -l v*
r remote show origin upstream
w remote add -f upstream https://x.org/a.git
w remote add --fetch upstream https://x.org/a.git
w remote add -t main -m main up https://x.org/a.git
w remote add --tags up https://x.org/a
w remote add --no-tags up https://x.org/a
w remote rename --no-progress a b
w remote set-url --add origin https://x.org/b.git
r remote get-url --all origin
r remote get-url --push origin
w remote set-head origin main
w remote set-head origin -d
w remote set-head origin --auto
w remote update
w remote update origin
w remote update --prune
w remote prune -n origin
r remote --verbose
w remote --verbose update
r rev-parse --short=12 HEAD~1
r rev-parse --abbrev-ref @{u}
r rev-parse --abbrev-ref origin/HEAD
r rev-parse --symbolic-full-name HEAD
r rev-parse --verify HEAD
r rev-parse -q --verify HEAD^{commit}
r rev-parse --verify --end-of-options HEAD
r rev-parse -q --verify --end-of-options HEAD^{commit}
r rev-parse --show-prefix
r rev-parse --show-cdup
r rev-parse --is-bare-repository
r rev-parse --is-inside-git-dir
r rev-parse --is-shallow-repository
r rev-parse --absolute-git-dir
r rev-parse --git-common-dir
r rev-parse --path-format=absolute --git-dir
r rev-parse --show-superproject-working-tree
r rev-parse --all
r rev-parse --branches
r rev-parse --tags=v*
r rev-parse HEAD main origin/main
r rev-parse HEAD:src
r rev-parse main...HEAD
r rev-parse main..HEAD
r rev-parse ^main HEAD
r rev-parse :/fix
r rev-parse --show-object-format
r rev-parse --local-env-vars
r rev-parse --symbolic --branches
r rev-parse --git-path hooks/pre-commit
r rev-parse --since=yesterday
r rev-parse --sq HEAD
r rev-parse --disambiguate=abcd
r rev-parse HEAD --
r rev-parse HEAD -- src
r rev-parse @
r rev-parse @{-1}
r rev-parse @{push}
r rev-parse --revs-only HEAD x
r rev-parse --short HEAD main
r rev-parse --default main HEAD
r rev-parse --git-dir
r rev-parse main...feature
r ls-files *.ts
r ls-files **/*.ts
r ls-files src tests
r ls-files -- :!:*.md
r ls-files --others --ignored --exclude-standard
r ls-files -o -i --exclude-standard --directory
r ls-files --others --exclude-standard --directory --no-empty-directory
r ls-files --cached --others --exclude-standard -z
r ls-files -t
r ls-files -v
r ls-files --stage
r ls-files --unmerged
r ls-files --killed
r ls-files --full-name
r ls-files --recurse-submodules
r ls-files --deduplicate
r ls-files --modified --deleted
r ls-files -c -o
r ls-files --exclude=*.o -i -o
r ls-files -X .gitignore -o
r ls-files --exclude-from=.gitignore -o
r ls-files --exclude-per-directory=.gitignore -o
r ls-files --with-tree=HEAD
r ls-files --abbrev -s
r ls-files --sparse
r ls-files :/
r ls-files -s
r ls-files -m
r ls-files -o --exclude-standard
r ls-files -z
r ls-tree HEAD src/
r ls-tree -r HEAD -- src
r ls-tree -d HEAD
r ls-tree -rt HEAD
r ls-tree --name-only HEAD:src
r ls-tree -r --full-tree HEAD
r ls-tree --full-name HEAD
r ls-tree -l HEAD
r ls-tree --object-only HEAD
r ls-tree main README.md
r ls-tree --abbrev=8 HEAD
r ls-tree -z --name-status HEAD
r ls-tree -rlz HEAD
r cat-file -p HEAD^{tree}
r cat-file -s HEAD:a
r cat-file commit HEAD
r cat-file tag v1
r cat-file tree HEAD^{tree}
r cat-file --batch
r cat-file --batch-check
r cat-file --batch-check=%(objectname) --batch-all-objects
r cat-file -p :0:a.txt
r cat-file blob HEAD:./a.txt
r cat-file -s HEAD:README.md
r cat-file -p HEAD:README.md
r cat-file -e HEAD
r describe --tags
r describe --tags --abbrev=0
r describe --abbrev=0 --tags --match v[0-9]*
r describe --contains HEAD~1
r describe --long
r describe --always --dirty=-mod
r describe --dirty --broken
r describe --all
r describe --tags HEAD~1
r describe --exact-match --tags
r describe --candidates=1
r describe --first-parent
r describe --contains --all HEAD
r describe --exclude *-rc
r describe --tags --match	v*	--abbrev=7
r describe --tags --always --dirty
r shortlog
r shortlog -s
r shortlog -sn --all
r shortlog -sn --since=1.year
r shortlog -sne HEAD~5..HEAD
r shortlog HEAD -- src
r shortlog -c -s
r shortlog --group=trailer:co-authored-by -s HEAD
r shortlog -w72,2,4
r shortlog --no-merges -n HEAD
r shortlog main..HEAD
r shortlog -sn HEAD
r shortlog -sne --all
r reflog -n 10
r reflog --all
r reflog show
r reflog show main
r reflog show --all --date=relative
r reflog HEAD@{1}
r reflog --date=iso
r reflog stash
r reflog show stash
r reflog feature@{now}
r reflog -10 --oneline
r reflog list
r reflog show HEAD -- src
r reflog -3
w add src/
w add src/*.ts
w add --all
w add -A src
w add -A -- :!secret
w add --update
w add --intent-to-add x
w add --renormalize .
w add -v .
w add --ignore-errors .
w add --dry-run .
w add --force x.log
w add --pathspec-from-file=list.txt
w add --pathspec-from-file=- --pathspec-file-nul
w add --refresh
w add -fA
w add -Av
w add .gitignore
w add ./a
w add --sparse x
w add --no-all .
w add -- a b
w add --chmod=-x a
w add :(glob)**/*.ts
w add :(top)a
w commit -m msg
w commit -am msg
w commit -a -m msg
w commit -m title -m body
w commit --message	x
w commit --amend
w commit --amend --no-edit -a
w commit --amend -m new
w commit --amend --reset-author --no-edit
w commit --amend --date=now --no-edit
w commit -C HEAD
w commit -c ORIG_HEAD
w commit --reuse-message=HEAD@{1}
w commit --fixup=HEAD~1
w commit --fixup=amend:HEAD~1 -m x
w commit --fixup=reword:HEAD -m x
w commit --squash=HEAD~1 -m x
w commit --squash HEAD~1
w commit --no-gpg-sign -m x
w commit -S
w commit -Skey -m x
w commit -n -m x
w commit -v -m x
w commit --signoff -m x
w commit -o a.txt -m x
w commit -i a.txt -m x
w commit --only -m x -- a.txt
w commit a.txt -m x
w commit -m x a.txt b.txt
w commit -t template.txt
w commit -F - --cleanup=strip
w commit --cleanup=verbatim -m x
w commit --date	2024-01-01T00:00:00	-m x
w commit --quiet -m x
w commit --porcelain --dry-run
w commit -z --dry-run --porcelain
w commit -u no -m x
w commit --untracked-files=no -m x
w commit --no-post-rewrite --amend --no-edit
w commit --no-status -m x
w commit --long --dry-run
w commit --verbose
w commit --edit -m x
w commit --no-edit
w commit -uno -qam x
w commit -eF msg
w commit --dry-run
w checkout feature/x
w checkout origin/main
w checkout HEAD~1
w checkout v1.0
w checkout a.txt
w checkout -b new HEAD~2
w checkout -b new --no-track origin/x
w checkout -t origin/feature
w checkout --track origin/feature
w checkout @{-1}
w checkout --detach
w checkout -d main
w checkout -qb x
w checkout --orphan x --quiet
w checkout --no-guess x
w checkout --guess x
w checkout --progress main
w checkout --no-progress main
w checkout -l -b x
w checkout abc123^{commit}
w checkout -b x -t origin/x
w checkout HEAD
w checkout @
w checkout main^0
w switch -c x --track origin/x
w switch -c x --no-track origin/x
w switch --create x
w switch -d HEAD~1
w switch --detach
w switch --orphan x
w switch -t origin/x
w switch --track origin/x
w switch --guess x
w switch --no-guess x
w switch -q x
w switch @{-1}
w switch --no-progress main
w merge
w merge origin/main
w merge --no-edit origin/main
w merge --no-ff --no-edit -m x feature
w merge --ff feature
w merge --no-commit feature
w merge -Xours feature
w merge -X theirs feature
w merge -X ignore-all-space feature
w merge --strategy=ours feature
w merge --strategy ours feature
w merge -s ours feature
w merge -s recursive -X patience feature
w merge -s octopus a b
w merge a b c
w merge --allow-unrelated-histories other
w merge --autostash x
w merge --no-verify x
w merge --signoff x
w merge -S x
w merge --stat x
w merge -n x
w merge --log x
w merge --log=10 x
w merge --edit x
w merge -F msg x
w merge --file=msg x
w merge --into-name=main x
w merge @{u}
w merge FETCH_HEAD
w merge --squash --no-commit x
w merge --verify-signatures x
w merge --rerere-autoupdate x
w merge --cleanup=scissors x
w merge --quiet x
w merge -v x
w merge --no-stat x
w merge --no-progress x
w merge --no-rerere-autoupdate x
w rebase
w rebase origin/main
w rebase --onto main feature~3 feature
w rebase --onto=main a b
w rebase --autosquash main
w rebase --no-autosquash main
w rebase --keep-base main
w rebase --root
w rebase -r main
w rebase --rebase-merges=no-rebase-cousins main
w rebase -X theirs main
w rebase -Xours main
w rebase -s ort main
w rebase --strategy-option=theirs main
w rebase --no-verify main
w rebase --signoff main
w rebase --force-rebase HEAD~2
w rebase -f main
w rebase --no-ff main
w rebase --update-refs main
w rebase --fork-point main
w rebase --no-fork-point main
w rebase --committer-date-is-author-date main
w rebase --reset-author-date main
w rebase --ignore-date main
w rebase --empty=drop main
w rebase --keep-empty main
w rebase --reapply-cherry-picks main
w rebase --merge main
w rebase --apply main
w rebase --stat main
w rebase -q main
w rebase -v main
w rebase --ignore-whitespace main
w rebase -S main
w rebase --no-gpg-sign main
w rebase --gpg-sign main
w rebase --no-autostash main
w rebase --quiet --continue
w rebase main feature
w rebase @{u}
w rebase -
w stash push
w stash push -u
w stash push -a
w stash push --all
w stash push -k
w stash push --staged
w stash push -S -m x
w stash push -um	wip
w stash push --message=wip
w stash push -m x -- src/a.ts src/b.ts
w stash push -m x src/a.ts
w stash -k -u
w stash --keep-index
w stash --include-untracked
w stash -a
w stash --all
w stash -q
w stash save -u x
w stash save --keep-index x
r stash list --stat
r stash list --date=relative
r stash list -1
r stash show
r stash show -p
r stash show stash@{1}
r stash show 0
r stash show -u
r stash show --include-untracked -p
r stash show --only-untracked
r stash show --name-only
r stash show --name-status stash@{0}
r stash show -p --stat
w stash pop -q
w stash pop 1
w stash pop stash@{1}
w stash pop --index
w stash apply --index stash@{0}
w stash apply 0
w stash apply -q
w stash branch x stash@{0}
w stash create msg
w stash store -m x abc
w stash push --pathspec-from-file=x
w stash -- a.txt
w stash push -- .
w stash push -- :!a
r stash show stash@{0} --stat
w cherry-pick HEAD~1
w cherry-pick a b c
w cherry-pick ^main feature
w cherry-pick main..feature
w cherry-pick -n a
w cherry-pick --no-commit a
w cherry-pick -e a
w cherry-pick --edit a
w cherry-pick --no-edit a
w cherry-pick -x -s a
w cherry-pick --signoff a
w cherry-pick -m1 a
w cherry-pick --mainline 1 a
w cherry-pick --mainline=1 a
w cherry-pick --ff a
w cherry-pick --allow-empty a
w cherry-pick --allow-empty-message a
w cherry-pick --keep-redundant-commits a
w cherry-pick --strategy=recursive -X theirs a
w cherry-pick -Xtheirs a
w cherry-pick --strategy-option=ours a
w cherry-pick --quit
w cherry-pick --continue --no-edit
w cherry-pick -S a
w cherry-pick --no-gpg-sign a
w cherry-pick --rerere-autoupdate a
w cherry-pick --cleanup=strip a
w revert HEAD --no-edit
w revert --no-commit HEAD~3..
w revert -n a b
w revert -m1 HEAD
w revert --mainline 1 HEAD
w revert --continue
w revert --quit
w revert -s HEAD
w revert --signoff HEAD
w revert -e HEAD
w revert --edit HEAD
w revert -X theirs HEAD
w revert --strategy=ort HEAD
w revert --no-gpg-sign HEAD
w revert -S HEAD
w revert --reference HEAD
w reset HEAD
w reset HEAD .
w reset HEAD^
w reset HEAD~
w reset a.txt b.txt
w reset .
w reset --mixed
w reset --soft HEAD^
w reset --soft origin/main
w reset -N a
w reset --no-refresh
w reset -q
w reset --quiet HEAD~1
w reset main -- a.txt
w reset -- .
w reset @{u}
w reset ORIG_HEAD
w reset --soft HEAD@{1}
w reset --pathspec-from-file=x
w reset --intent-to-add
w fetch -p
w fetch --all
w fetch --all --prune --tags
w fetch -t
w fetch -tp
w fetch origin --tags
w fetch --deepen=10
w fetch --deepen 10
w fetch --unshallow origin
w fetch -v
w fetch --verbose
w fetch -n origin
w fetch --no-tags
w fetch origin main:refs/remotes/origin/main
w fetch origin +refs/pull/*/head:refs/remotes/origin/pr/*
w fetch origin pull/1/head
w fetch origin pull/1/head:pr1
w fetch origin abc1234abc
w fetch origin tag v1
w fetch origin refs/tags/v1:refs/tags/v1
w fetch upstream
w fetch --multiple a b
w fetch --recurse-submodules
w fetch --recurse-submodules=on-demand
w fetch --no-recurse-submodules
w fetch -j4 --all
w fetch --jobs=4
w fetch --refetch
w fetch --filter=blob:none
w fetch --no-auto-maintenance
w fetch --no-auto-gc
w fetch --no-write-fetch-head
w fetch --atomic
w fetch --append
w fetch --keep
w fetch --progress
w fetch --no-progress
w fetch --set-upstream origin main
w fetch -4
w fetch --show-forced-updates
w fetch --negotiation-tip=main
w fetch origin --prune
w fetch origin HEAD
w fetch --server-option=x
w fetch https://user:pw@x.org/a.git main
w fetch --porcelain
w fetch -a
w pull origin main
w pull origin main --rebase
w pull --rebase --autostash
w pull --autostash
w pull --no-autostash
w pull --ff
w pull --no-ff
w pull --no-ff origin feature
w pull --ff-only origin main
w pull --rebase=true
w pull --rebase=false
w pull -r
w pull -p
w pull --prune
w pull -q
w pull -v
w pull --all
w pull --tags
w pull -t
w pull --no-edit
w pull --edit
w pull --no-commit
w pull --squash origin feature
w pull -X theirs
w pull -Xours origin main
w pull -s ours origin x
w pull --strategy-option=theirs
w pull --allow-unrelated-histories origin main
w pull --unshallow
w pull --no-recurse-submodules
w pull --verify-signatures
w pull --no-verify
w pull --stat
w pull -n
w pull --no-stat
w pull -S
w pull --set-upstream origin main
w pull --dry-run
w pull --log
w pull --signoff
w pull upstream main
w pull --jobs=4
w pull -j 4
w pull --no-tags
w pull origin main:main
w pull --no-rebase
w pull --progress
w push origin
w push -u origin HEAD
w push -u origin main
w push --set-upstream origin feature
w push origin feature:feature
w push origin HEAD:main
w push origin HEAD:refs/for/main
w push origin HEAD:refs/heads/x
w push --all
w push --all origin
w push --branches
w push origin --all
w push origin --tags
w push --tags origin main
w push --follow-tags
w push --follow-tags origin main
w push --atomic origin a b
w push -n
w push --porcelain
w push -q
w push -v
w push --no-verify origin HEAD
w push --verify
w push --signed=if-asked
w push --no-signed
w push -o ci.skip
w push -o ci.skip origin HEAD
w push --push-option=ci.skip
w push --recurse-submodules=check
w push --recurse-submodules=on-demand
w push --recurse-submodules=no
w push --progress
w push --no-progress
w push --thin
w push --no-thin
w push origin v1.0.0 main
w push origin refs/tags/v1
w push https://x.org/a.git main
w push git@x.org:a.git HEAD:main
w push --repo=origin
w push -4 origin
w push --no-force-with-lease origin
w push --dry-run
w restore --source HEAD --staged a
w restore --staged -- .
w restore -S .
w restore -qS .
w restore --staged :/
w restore --pathspec-from-file=x --staged
w restore --no-overlay --staged a
w rm a.txt
w rm -r dir
w rm --cached a
w rm -r --cached .
w rm --ignore-unmatch a
w rm -q a
w rm --sparse a
w rm *.log
w rm -- a
w rm --pathspec-from-file=x
w rm -n a
w rm --cached -r node_modules
w mv a b
w mv -k a b
w mv -n a b
w mv -v a b
w mv a b dir/
w mv a/ b
w mv --sparse a b
w init .
w init -q
w init --quiet sub
w init --initial-branch=main
w init --bare x.git
w init --shared x
w init --object-format=sha256 x
w clone https://x.org/a.git
w clone --depth=1 https://x.org/a.git
w clone --recurse-submodules https://x.org/a.git
w clone --recursive https://x.org/a.git
w clone --mirror https://x.org/a.git
w clone --bare https://x.org/a.git a.git
w clone --filter=blob:none https://x.org/a.git
w clone --sparse https://x.org/a.git
w clone --no-checkout https://x.org/a.git
w clone -n https://x.org/a.git
w clone --no-single-branch https://x.org/a.git
w clone --shallow-submodules https://x.org/a.git
w clone --no-tags https://x.org/a.git
w clone -o up https://x.org/a.git
w clone -q https://x.org/a.git
w clone --progress https://x.org/a.git
w clone -j8 https://x.org/a.git
w clone --dissociate https://x.org/a.git
w clone gh:a/b
w clone x.org:a/b
w clone https://x.org/a.git .
w clone --shallow-since=2024-01-01 https://x.org/a
w clone --single-branch --branch main https://x.org/a
r worktree list -v
r worktree list --verbose
w worktree add wt main
w worktree add wt -b new
w worktree add -b new wt
w worktree add --track -b x wt origin/x
w worktree add --no-checkout wt
w worktree add --lock wt
w worktree add --orphan wt
w worktree add --guess-remote wt
w worktree add -d wt
w worktree add -q wt
w worktree prune --dry-run
w worktree lock ./wt
w worktree unlock ./wt
w worktree repair
w worktree repair ./wt
r worktree list --porcelain
r submodule status
r submodule status lib/a
r submodule status --cached
r submodule --quiet status
w submodule init lib/a
w submodule update
w submodule update --init
w submodule update --init --recursive --depth 1
w submodule update --init --recursive --jobs 4
w submodule update --init --recursive -j 4
w submodule update --remote
w submodule update --recursive --remote
w submodule update --no-fetch
w submodule update --no-single-branch
w submodule update --progress
w submodule update --depth=1
w submodule update --filter=blob:none --init
w submodule add -b main https://x.org/a.git lib/a
w submodule add --name a https://x.org/a.git lib/a
w submodule add --depth 1 https://x.org/a.git lib/a
w submodule add git@x.org:a.git
w submodule sync
w submodule sync --recursive lib
w submodule set-url lib https://x.org/a.git
w submodule set-branch --branch main lib
w submodule set-branch --default lib
r submodule summary --cached
r submodule summary HEAD~1
w submodule absorbgitdirs
r notes show
w notes merge x
r notes --ref=x list
r notes --ref x list
w notes append -F f
r notes get-ref
w notes add -m x HEAD~1
r notes list HEAD
w bisect start --first-parent
w bisect start HEAD HEAD~10
w bisect start HEAD~1 v1 -- src
w bisect start --no-checkout
w bisect bad
w bisect good v1.0
w bisect good v1 v2
w bisect skip a..b
w bisect old
w bisect new
r bisect terms
r bisect terms --term-good
w bisect reset HEAD
w bisect reset main
w bisect next
w apply -
w apply --index x.patch
w apply -3 x.patch
w apply --whitespace=fix x.patch
w apply --whitespace=nowarn x.patch
w apply --ignore-whitespace x.patch
w apply -v x.patch
w apply -p0 x.patch
w apply -p 0 x.patch
w apply --directory=sub x.patch
w apply --numstat x.patch
w apply --summary x.patch
w apply --check -R x.patch
w apply --recount x.patch
w apply --unidiff-zero x.patch
w apply --include=src/* x.patch
w apply --exclude=x x.patch
w apply --cached --check x.patch
w apply -C1 x.patch
w apply --allow-empty x
w apply --inaccurate-eof x
w apply -N x.patch
w apply -q x.patch
w apply a.patch b.patch
w am x.patch
w am --signoff x.patch
w am -s x.patch
w am --3way x.patch
w am --resolved
w am -k x.mbox
w am --keep-cr x
w am --whitespace=fix x
w am --committer-date-is-author-date x
w am --scissors x
w am -q x
w am --no-verify x
w am --empty=keep x
w am --allow-empty
r am --show-current-patch
w am -
w am -C2 x
w am -p0 x
w am --retry
w clean -dn
w clean -ndx
w clean -nd src
w clean --dry-run -d
w clean -n -e node_modules
w clean -n --exclude=x
w clean -f -n
w clean -q -n
w clean -nd -- src docs
w clean -n .
`
  .split("\n")
  .filter((line) => line !== "")
  .map((line) => ({ tier: line.startsWith("r") ? "read" : "write", words: wordsOf(line.slice(2)) }) as const);
