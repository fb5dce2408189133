// Notices that the CLI withdraws the request that carries a call.
import type { AnswerContext, WithdrawalWatcher } from '../../../wire/protocol/answer.js';
import { onAbort } from '../../../util/on-abort.js';

/** A call that can be withdrawn until it is settled. */
interface CarriedCall extends WithdrawalWatcher {
  whenSettled(react: () => void): void;
}

/** Tells a call that is not settled when its request is withdrawn. */
export function watchCarrier(carrier: AnswerContext, call: CarriedCall): void {
  if (carrier.watch) carrier.watch(call);
  else {
    const { signal } = carrier;
    call.whenSettled(onAbort(signal, () => call.withdraw(signal.reason)));
  }
}
