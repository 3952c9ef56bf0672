import './ui/mantine.css'
import './ui/fonts.css'
import './ui/tokens.css'
import './ui/base.css'
import './ui/controls.css'
import './ui/floats.css'
import './ui/touch.css'

// The development server serves Mantine as one module, so its components do not load their style sheets one by one.
if (import.meta.env.DEV) void import('@mantine/core/styles.layer.css')
