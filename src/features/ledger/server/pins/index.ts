export { countPins, deletePin, insertPin } from './queries.ts'
