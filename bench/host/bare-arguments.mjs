/** What an SDK says to the real CLI by itself and the bare host must say, so that the CLI does the same work for it. */
export const BARE_ARGUMENTS =
  '--output-format stream-json --verbose --input-format stream-json --permission-prompt-tool stdio'.split(
    ' ',
  );
