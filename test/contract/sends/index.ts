export { listSendCells, needsProxyOpened, type SendCell, textOf, thinOut } from './cells';
export { type Proxy, startProxy } from './proxy';
export { judgeSendCell, type SeenCell } from './judge';
