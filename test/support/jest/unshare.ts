import { closeShared } from '../../../lab/host/shared';

export default closeShared;
