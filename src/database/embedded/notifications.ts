const NOTIFICATION = 'A'.charCodeAt(0);
/** A message is its type, its length without the type, and its content. */
const TYPE = 1;
const LENGTH = 4;
const PROCESS = 4;

/** The notifications among whole messages of the server: channel and payload follow each other. */
export function payloadsIn(messages: Uint8Array): string[] {
  const view = new DataView(messages.buffer, messages.byteOffset, messages.byteLength);
  const payloads: string[] = [];
  for (let at = 0; at + TYPE + LENGTH <= messages.length;) {
    const next = at + TYPE + view.getInt32(at + TYPE);
    if (messages[at] === NOTIFICATION) {
      const content = Buffer.from(messages.subarray(at + TYPE + LENGTH + PROCESS, next - 1));
      payloads.push(content.toString('utf8').split('\0', 2)[1] ?? '');
    }
    at = next;
  }
  return payloads;
}
