export { sendFarewell } from './auto-close.ts'
export { closeByKeyword } from './close-keywords.ts'
