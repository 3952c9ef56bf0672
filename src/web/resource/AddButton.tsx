import { Button, Tooltip } from '@mantine/core'
import { AddIcon } from '../ui/icons.ts'

/** Command that adds a row: the button's label, its action, and why it is refused just now. */
export type Addition = { label: string; run: () => void; refusal?: string | undefined }

/** Main button of a page, which adds a row. */
export function AddButton({ label, run, refusal }: Addition) {
  return (
    <Tooltip label={refusal} disabled={!refusal}>
      <Button
        leftSection={<AddIcon size={17} />}
        data-disabled={Boolean(refusal) || undefined}
        onClick={() => !refusal && run()}
      >
        {label}
      </Button>
    </Tooltip>
  )
}
