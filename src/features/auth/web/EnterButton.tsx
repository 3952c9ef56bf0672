import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { ArrowRightIcon } from '#web/ui/icons.ts'

/** Submit button of the login pages: full width, with an arrow. */
export const EnterButton = ({
  busy,
  doing = t('Entrando'),
  label,
}: {
  busy: boolean
  doing?: string
  label: string
}) => (
  <BusyButton type="submit" size="lg" fullWidth busy={busy} doing={doing} rightSection={<ArrowRightIcon size={18} />}>
    {label}
  </BusyButton>
)
