/** Elements made by script: text goes in as text nodes, so that nothing of a note is markup. */

/**
 * Return a new element with some properties and children.
 * @param {string} name
 * @param {object} properties
 * @param {...(Node|string)} children
 */
export function make(name, properties = {}, ...children) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}
