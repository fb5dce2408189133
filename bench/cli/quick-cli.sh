#!/bin/bash
# A CLI that starts in about 2 ms, which a program of Node cannot: it shows what a host does before its first byte and until
# it answers a first tool call. Writes when both came (seconds since 1970, two lines) to the file named by BENCH_NOTES.
LC_ALL=C
IFS=
if [[ ${1-} == --version ]]; then
  echo '2.1.325 (Claude Code)'
  exit
fi
readonly session='"session_id":"57d460cf-0000-4000-8000-000000000001"'
user='' handshake='' answered=''

answer() {
  local id=$1 body=$2
  printf '{"type":"control_response","response":{"subtype":"success","request_id":"%s","response":%s}}\n' "$id" "$body"
}

ask() {
  printf '{"type":"control_request","request_id":"%s","request":{"subtype":"mcp_message","server_name":"bench","message":%s}}\n' "$1" "$2"
}

# A line of the host: its handshake, its prompt, or the answer to a question.
take() {
  read -r line || exit 0
  line=$1$line
  [[ $line =~ \"request_id\":\"([^\"]+)\" ]] && local id=${BASH_REMATCH[1]}
  case $line in
    *'"type":"control_response"'*) answered=$id ;;
    *'"subtype":"initialize"'*)
      handshake=$line
      answer "$id" '{"commands":[],"agents":[],"models":[],"account":{},"output_style":"default","available_output_styles":[]}'
      ;;
    *'"type":"control_request"'*) answer "$id" '{}' ;;
    *'"type":"user"'*) user=yes ;;
  esac
}

await_answer() {
  ask "$1" "$2"
  while [[ $answered != "$1" ]]; do take ''; done
}

read -r -n1 byte || exit 0
first_byte=$EPOCHREALTIME
take "$byte"
while [[ -z $handshake || -z $user ]]; do take ''; done
printf '%s\n' '{"type":"system","subtype":"init","tools":["mcp__bench__lookup"],"mcp_servers":[{"name":"bench","status":"connected"}],"model":"fake-model","permissionMode":"default","uuid":"57a7e000-0000-4000-8000-000000000009",'"$session}"
# A host that lists its tools in the handshake is not asked for them.
if [[ $handshake != *sdkMcpServerManifests* ]]; then
  await_answer shake-1 '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1.0.0"}}}'
  await_answer shake-2 '{"jsonrpc":"2.0","method":"notifications/initialized"}'
  await_answer shake-3 '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
fi
ask call-1 '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"lookup","arguments":{"id":"item-4711"},"_meta":{"claudecode/toolUseId":"toolu_01"}}}'
read -r -n1 byte || exit 0
first_answer=$EPOCHREALTIME
take "$byte"
while [[ $answered != call-1 ]]; do take ''; done
[[ $line == *'found item-4711'* ]] || first_answer="wrong answer: $line"
printf '%s\n%s\n' "$first_byte" "$first_answer" >"$BENCH_NOTES"
printf '%s\n' \
  '{"type":"result","subtype":"success","is_error":false,"duration_ms":1,"duration_api_ms":1,"num_turns":1,"result":"done","total_cost_usd":0,"usage":{},"modelUsage":{},"permission_denials":[],"uuid":"57a7e000-0000-4000-8000-000000000003",'"$session}" \
  '{"type":"system","subtype":"session_state_changed","state":"idle","sdk_host_only":true,"uuid":"57a7e000-0000-4000-8000-000000000002",'"$session}"
while read -r line; do :; done
exit
