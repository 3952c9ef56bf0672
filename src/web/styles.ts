import './ui/mantine.css'
import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/floats.css'
import './ui/touch.css'

// The development server takes Mantine as one piece, so its components do not bring their sheets one by one.
if (import.meta.env.DEV) void import('@mantine/core/styles.layer.css')
