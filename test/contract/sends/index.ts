export { judgeAgentCell, type Told } from './agent';
export { listSendCells, needsDoorOpened, type SendCell, textOf, thinOut } from './cells';
export { type Door, makeDoor } from './door';
export { judgeSendCell, type SeenCell } from './judge';
