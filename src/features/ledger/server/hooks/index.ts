export { afterMessages, type Hook, type HookCause, type HookItem, registerHooks, runHooks } from './hooks.ts'
export { messageOfTemplate, registerTemplates, type WantedTemplate } from './templates.ts'
