/** What the filter shows: its panel, and what is chosen there. */
export { ActiveFilters } from './ActiveFilters.tsx'
export { FilterPanel } from './FilterPanel.tsx'
