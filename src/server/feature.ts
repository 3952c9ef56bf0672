import { addErrors, type ErrorCode, type ErrorPart } from '#kit/errors.ts'
import { addPermissions, type PermissionPart } from '#kit/permissions.ts'
import { addPlanFeatures, type PlanFeaturePart } from '#kit/plan-features.ts'
import { addSettings, type SettingPart } from '#kit/settings.ts'
import type { Tx } from './db/db.ts'
import type { Route } from './http/route.ts'
import type { Job } from './job.ts'
import type { Parts } from './parts.ts'
import type { Platform } from './platform.ts'

/** Server part of a feature, beside its routes. */
export type Feature = {
  readonly name: string
  readonly errors?: ErrorPart
  readonly permissions?: PermissionPart
  readonly settings?: SettingPart
  /** Parts of the feature that plans may leave out. */
  readonly plan?: PlanFeaturePart
  readonly routes?: readonly Route[]
  /** Titles of its families of operations in the reference, in reading order. */
  readonly titles?: Readonly<Record<string, string>>
  readonly jobs?: readonly Job[]
  readonly constraints?: Readonly<Record<string, ErrorCode>>
  /** Raw handlers that are no operations: files, pages, namespaces. */
  readonly attach?: (platform: Platform, parts: Parts & { routes: readonly Route[] }) => void | Promise<void>
  /**
   * Returns the ids of the encryption keys of the feature's rows (the part before the dot); requires platform database
   * access.
   */
  readonly encryptedWith?: (db: Tx) => Promise<string[]>
  /** Data of the feature that every page embeds, so that it need not ask (web/start/boot.ts); answered from caches. */
  readonly boot?: (platform: Platform) => Promise<object>
  /** Runs once when the process starts working; returns a function that stops it. */
  readonly start?: (platform: Platform) => Promise<() => Promise<void>> | (() => Promise<void>)
}

/** Registers the parts of features (errors, permissions, settings and so on). */
export function register(features: readonly Feature[]): readonly Feature[] {
  for (const { errors, permissions, settings, plan } of features) {
    addErrors(errors)
    addPermissions(permissions)
    addSettings(settings)
    addPlanFeatures(plan)
  }
  return features
}
