# Writes which commit the sources in a folder are of, as Swift: commit.sh FOLDER FILE LOG, LOG being git's own log of HEAD, or empty where it has none.
# Run by each build in which that may have changed (Origin.swift). What git does not say for certain is unknown.
set -u
cd "$1" || exit 1
commit= isChanged=false
# The commit of a repository around this folder would be another's.
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
# What is the same is not compiled again.
if cmp -s "$2.new" "$2"; then rm "$2.new"; else mv "$2.new" "$2"; fi
