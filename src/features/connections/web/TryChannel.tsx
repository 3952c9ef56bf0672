import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { connections } from '../connection-addresses.ts'
import type { ConnectionTrial } from '../forms.ts'
import { timed } from './trial.ts'
import { Verdict } from './Verdict.tsx'

/**
 * Button “Testar” in the form of a channel, saved or not: tests the current values at the provider. `onRefuse` marks wrong
 * fields.
 */
export function TryChannel({ asked, onRefuse }: { asked: ConnectionTrial; onRefuse: (error: unknown) => void }) {
  const { data, mutate, isPending, reset } = useMutation({
    mutationFn: () => timed(() => call(connections.test, { body: asked }, { quiet: true })),
    onError: onRefuse,
  })
  // A result applies to the tested values only.
  const about = JSON.stringify(asked)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked about is the trigger.
  useEffect(reset, [about])
  return (
    <>
      <div>
        <BusyButton variant="default" busy={isPending} doing={t('Testando')} onClick={() => mutate()}>
          {t('Testar')}
        </BusyButton>
      </div>
      <div aria-live="polite">{data && <Verdict trial={data} />}</div>
    </>
  )
}
