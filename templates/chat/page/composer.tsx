// The line to write, and the button that sends or stops.
import { useState } from 'react';

/** `send` gives undefined, or why the message was not sent. */
export function Composer(props: {
  isBusy: boolean;
  send: (text: string) => Promise<string | undefined>;
  stop: () => void;
}) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const submit = async (): Promise<void> => {
    if (text.trim() === '' || props.isBusy) return;
    setText('');
    setProblem(undefined);
    const why = await props.send(text);
    if (why === undefined) return;
    setProblem(why);
    // What was not sent is not lost, and neither is what was written meanwhile.
    setText((later) => [text, later].filter(Boolean).join(' '));
  };
  return (
    <>
      {problem !== undefined && <p role="alert">{problem}</p>}
      <form
        className="composer"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <input
          aria-label="Message"
          placeholder="Ask about order 1001"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {props.isBusy ? (
          <button type="button" className="stop" onClick={props.stop}>
            Stop
          </button>
        ) : (
          <button type="submit">Send</button>
        )}
      </form>
    </>
  );
}
