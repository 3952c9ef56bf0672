import { type NamesOf, registry } from './registry.ts'

/** A feature that is sold apart: what it is called, and what a company without it lacks. */
export type PlanFeatureSpec = { readonly name: string; readonly without: string }

/** The plan features of one owner, by name; a permission that needs one names it (`feature`). */
export type PlanFeaturePart = Readonly<Record<string, PlanFeatureSpec>>

/** Registry of plan features: each feature adds its own (`declare module`). */
// biome-ignore lint/suspicious/noEmptyInterface: the platform has none, features merge theirs into it.
export interface PlanFeatures {}

/** The name of a plan feature. */
export type PlanFeature = NamesOf<PlanFeatures>

const { table, add } = registry<PlanFeature, PlanFeatureSpec>('plan feature', {})

/** Every feature that is sold apart, beside the types of channels. */
export const PLAN_FEATURES = table

/** Adds the plan features of a feature. */
export const addPlanFeatures = add
