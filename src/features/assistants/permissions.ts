import { ADMINS } from '#domain/access/profiles.ts'
import type { PermissionPart } from '#kit/permissions.ts'

/** What assistants may be used for, and by whom. */
export const permissions = {
  'assistants:write': {
    allows: 'Conectar assistentes de IA, testá-los e escolher onde respondem',
    profiles: ADMINS,
    screens: [
      '/configuracoes/chat-gpt',
      '/configuracoes/claude',
      '/configuracoes/gemini',
      '/configuracoes/ollama',
      '/configuracoes/lm',
      '/configuracoes/grok',
      '/configuracoes/deepseek',
      '/configuracoes/qwen',
      '/configuracoes/groqcloud',
      '/configuracoes/typebot',
      '/configuracoes/dialogflow',
      '/configuracoes/dify',
      '/configuracoes/n8n',
      '/configuracoes/vapi',
    ],
  },
} as const satisfies PermissionPart

declare module '#kit/permissions.ts' {
  interface Permissions {
    assistants: typeof permissions
  }
}
