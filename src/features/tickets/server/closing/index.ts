export { sendFarewell } from './auto-close.ts'
export { closeByKeyword } from './close-keywords.ts'
export { endAutomatic, leaveToPeople } from './end-automatic.ts'
