// VitePress's own theme without its fonts, in the colours of the inspector.
import Theme from 'vitepress/theme-without-fonts';
import Layout from './layout.vue';
import { rankPages } from './search-ranks.js';
import './tokens.css';
import './page.css';
import './home.css';

export default { extends: Theme, Layout, enhanceApp: ({ siteData }) => rankPages(siteData.value) };
