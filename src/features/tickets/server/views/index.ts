export { forgetViews } from './queries.ts'
