export { WeekHours } from './week-hours.tsx'
