import { type NamesOf, registry } from './registry.ts'

/** Feature that plans may exclude: its name, and what a company without it lacks. */
export type PlanFeatureSpec = { readonly name: string; readonly without: string }

/** Plan features of one feature, by name; a permission that requires one refers to it (`feature`). */
export type PlanFeaturePart = Readonly<Record<string, PlanFeatureSpec>>

/** Registry of plan features: each feature adds its own (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: the platform has none, features merge theirs into it.
export interface PlanFeatures {}

/** Name of a plan feature. */
export type PlanFeature = NamesOf<PlanFeatures>

const { table, add } = registry<PlanFeature, PlanFeatureSpec>('plan feature', {})

/** Registry of plan features by name, beside the channel types. */
export const PLAN_FEATURES = table

/** Adds the plan features of a feature. */
export const addPlanFeatures = add
