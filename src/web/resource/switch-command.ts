import type { Address } from '#kit/addresses.ts'
import { attempt } from '../attempt.ts'
import { callAny } from '../client.ts'
import { t } from '../t.ts'
import { PauseIcon, PlayIcon } from '../ui/icons.ts'
import type { Command } from '../ui/layout/command.ts'

/** Returns the command that switches a row on or off by its own operation; `notices` are the toasts of both states. */
export const switchCommand = (
  op: Address,
  { id, isActive }: { readonly id: number; readonly isActive: boolean },
  { off = t('Desligar'), notices }: { off?: string; notices: { on: string; off: string } },
): Command => ({
  id: 'toggle',
  label: isActive ? off : t('Ligar'),
  icon: isActive ? PauseIcon : PlayIcon,
  run: () =>
    void attempt(
      () => callAny(op, { params: { id }, body: { isActive: !isActive } }, { quiet: true }),
      isActive ? notices.off : notices.on,
    ),
})
