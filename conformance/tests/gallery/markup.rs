//! A page as its tags, its links and its words.

use std::collections::BTreeSet;

/// What was found in a page.
pub(super) struct Markup {
    /// Each opening tag with its attributes, as it stands there.
    tags: Vec<String>,
    /// Ids, each once.
    pub(super) ids: BTreeSet<String>,
    /// What its links lead to.
    pub(super) links: Vec<String>,
    /// Its words with single spaces, without style and script.
    pub(super) text: String,
}

impl Markup {
    /// Fails where an element is not closed in the right order, or an id stands twice.
    pub(super) fn of(page: &str) -> Self {
        const VOID: [&str; 4] = ["!doctype", "meta", "br", "input"];
        let mut markup = Self { tags: Vec::new(), ids: BTreeSet::new(), links: Vec::new(), text: String::new() };
        let (mut open, mut rest, mut text) = (Vec::new(), page, String::new());
        while let Some((before, after)) = rest.split_once('<') {
            let raw = open.last().is_some_and(|name| name == "style" || name == "script");
            assert!(raw || !before.contains('>'), "a stray > in {before:?}");
            if raw && !after.starts_with(&format!("/{}>", open.last().unwrap())) {
                rest = after;
                continue;
            }
            if !raw {
                text.push_str(before);
                text.push(' ');
            }
            let (tag, after) = after.split_once('>').expect("a tag ends");
            rest = after;
            let name = tag.split([' ', '\n', '/']).next().unwrap().to_owned();
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop().as_deref(), Some(name), "before {:.80}", rest);
                continue;
            }
            assert!(!tag.contains('<') && tag.matches('"').count() % 2 == 0, "{tag}");
            if let Some(id) = attribute(tag, "id") {
                assert!(markup.ids.insert(id.clone()), "{id} stands twice");
            }
            markup.links.extend((name == "a").then(|| attribute(tag, "href").expect("a link leads somewhere")));
            markup.tags.push(tag.to_owned());
            if !VOID.contains(&name.as_str()) && !tag.ends_with('/') {
                open.push(name);
            }
        }
        assert_eq!((open, rest.trim()), (Vec::<String>::new(), ""));
        markup.text = plain(&text.split_whitespace().collect::<Vec<_>>().join(" "));
        markup
    }

    /// A language, one title and one first heading, headings without a gap, heads of tables with their scope, names for what is read
    /// aloud.
    pub(super) fn is_accessible(&self, path: &str) {
        let named =
            |name: &'static str| self.tags.iter().filter(move |tag| tag.split([' ', '\n']).next() == Some(name));
        assert_eq!(named("html").next().map(String::as_str), Some("html lang=\"en\""), "{path}");
        assert_eq!((named("h1").count(), named("main").count()), (1, 1), "{path}");
        let mut before = 0;
        for level in self.tags.iter().filter_map(|tag| tag.strip_prefix('h')?.get(..1)?.parse::<u8>().ok()) {
            assert!(level <= before + 1, "{path}: h{level} after h{before}");
            before = level;
        }
        assert!(named("th").all(|tag| tag.contains("scope=\"")), "{path}");
        let labels =
            self.tags.iter().filter_map(|tag| attribute(tag, "aria-labelledby")).filter(|id| !id.contains("assize"));
        labels.for_each(|id| assert!(self.ids.contains(&id), "{path}: nothing is called {id}"));
        assert!(
            named("div").filter(|tag| tag.contains("tabindex")).all(|tag| tag.contains("role=\"region\"")),
            "{path}"
        );
    }

    /// Nothing in it is loaded, and its policy allows nothing to be.
    pub(super) fn asks_for_nothing(&self, path: &str) {
        for tag in &self.tags {
            let name = tag.split([' ', '\n']).next().unwrap();
            assert!(!["img", "link", "iframe", "object", "embed", "form", "base"].contains(&name), "{path}: {tag}");
            for forbidden in [" src=", " onclick=", " onerror=", " style=", "javascript:", "http-equiv=\"refresh"] {
                assert!(!tag.contains(forbidden), "{path}: {tag}");
            }
        }
        let policy = self.tags.iter().find(|tag| tag.contains("Content-Security-Policy")).expect("a policy");
        assert!(policy.contains("default-src &#x27;none&#x27;"), "{path}: {policy}");
    }
}

/// The value of an attribute of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    Some(plain(rest.split_once('"')?.0))
}

/// Text without its escapes.
fn plain(text: &str) -> String {
    let letters = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#x2f;", "/"), ("&amp;", "&")];
    letters.iter().fold(text.to_owned(), |text, (escape, letter)| text.replace(escape, letter))
}

/// The file to which a link of a page leads, and the id in it.
pub(super) fn resolved(page: &str, link: &str) -> (String, Option<String>) {
    let (path, anchor) = link.split_once('#').map_or((link, None), |(path, anchor)| (path, Some(anchor.to_owned())));
    if path.is_empty() {
        return (page.to_owned(), anchor);
    }
    let mut place: Vec<&str> = page.split('/').collect();
    place.pop();
    for part in path.split('/') {
        if part == ".." {
            place.pop().expect("no link leads out of the site");
        } else {
            place.push(part);
        }
    }
    (place.join("/"), anchor)
}
