export { afterMessages, type Hook, type HookCause, type HookItem, registerHooks, runHooks } from './hooks.ts'
export {
  filledTemplate,
  messageOfTemplate,
  registerTemplates,
  usableTemplate,
  type WantedTemplate,
} from './templates.ts'
