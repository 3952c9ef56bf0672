/** Filter components: the panel, and the chips of active filters. */
export { ActiveFilters } from './ActiveFilters.tsx'
export { FilterPanel } from './FilterPanel.tsx'
