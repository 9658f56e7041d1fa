export { listSendCells, needsProxyOpened, type SendCell, textOf, thinOut } from './cells';
export { startProxy } from './proxy';
export { judgeSendCell } from './judge';
