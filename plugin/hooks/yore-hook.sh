#!/bin/sh
# Passes an event to yore. Without yore it prints nothing and exits with 0. The same plugin serves Claude Code and Codex,
# which sets PLUGIN_ROOT.
agent=claude-code
[ -n "$PLUGIN_ROOT" ] && agent=codex
shim="${YORE_HOME:-$HOME/.yore}/bin/yore-hook"
if [ -x "$shim" ]; then
  "$shim" "$agent"
elif command -v yore >/dev/null 2>&1; then
  yore hook "$agent" 2>/dev/null
fi
exit 0
