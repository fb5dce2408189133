// The line to write, and the button that sends or stops.
import { useState } from 'react';

export function Composer(props: { isBusy: boolean; send: (text: string) => void; stop: () => void }) {
  const [text, setText] = useState('');
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '' || props.isBusy) return;
        props.send(text);
        setText('');
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
  );
}
