// Opens connections and keeps them: `node idle-clients.mjs PORT COUNT`. Every second one asks once. A process of its
// own, since both ends of a connection are open files.
import { connect } from 'node:net';

const [port, count] = process.argv.slice(2).map(Number);
const AT_ONCE = 200;

let opened = 0;
let closed = 0;

const open = () => {
  if (opened === count) return;
  const asks = (opened += 1) % 2 === 0;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  // Who reads nothing never hears that the other side has closed.
  socket.resume();
  socket.on('close', () => {
    closed += 1;
    process.send({ closed });
  });
  socket.once('connect', () => {
    if (!asks) return held();
    socket.write('GET /server/ping HTTP/1.1\r\nHost: x\r\n\r\n');
    return socket.once('data', held);
  });
};

let holding = 0;
function held() {
  holding += 1;
  if (holding === count) process.send({ holding });
  open();
}

for (let index = 0; index < Math.min(AT_ONCE, count); index += 1) open();
