# commit.sh FOLDER FILE LOG: writes the commit of the sources in FOLDER as Swift code to FILE.
# LOG is git's log of HEAD, or empty without a log. If git gives no certain answer, the commit is unknown.
set -u
cd "$1" || exit 1
commit= isChanged=false
# A repository that contains this folder has commits of other code.
if [ -n "$3" ] && prefix=$(git rev-parse --show-prefix 2>/dev/null) && [ -z "$prefix" ]; then
    commit=$(git rev-parse --verify --quiet 'HEAD^{commit}')
    changes=$(git status --porcelain -- Package.swift Sources sql seed) || commit=
    [ -z "$changes" ] || isChanged=true
fi
{
    echo '// Made by Sources/Origin/commit.sh.'
    if [ -n "$commit" ]; then echo "let builtFrom: (id: String, isChanged: Bool)? = (\"$commit\", $isChanged)"
    else echo 'let builtFrom: (id: String, isChanged: Bool)? = nil'; fi
} > "$2.new"
# An unchanged file keeps its time, so that it is not compiled again.
if cmp -s "$2.new" "$2"; then rm "$2.new"; else mv "$2.new" "$2"; fi
